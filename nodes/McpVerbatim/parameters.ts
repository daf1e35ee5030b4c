import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import type { CatalogueTool } from '../../src/internal.js';
import { withEditorSession } from '../connection/session.js';
import { textOfValue } from '../editor/gate.js';
import { SetupError } from '../errors.js';
import { enumerate } from '../text.js';

export function chosen(context: IExecuteFunctions, parameter: string, itemIndex: number, what: string): string {
  const value = text(context.getNodeParameter(parameter, itemIndex, '', { extractValue: true }));
  if (value !== '') return value;
  throw new SetupError(`No ${what} is chosen`, `Choose the ${what} in the panel of the node, or give it by name.`);
}

/** The tool in the panel; '' if none is chosen, or if an expression has no value before the node runs. */
export function chosenInPanel(context: ILoadOptionsFunctions): string {
  try {
    return text(context.getNodeParameter('tool', '', { extractValue: true }));
  } catch {
    return ''; // n8n's refusal to evaluate the expression
  }
}

/** Numbers, too: an expression may choose the tool called 7. */
function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? textOfValue(String(value).trim()) : '';
}

export async function toolInPanel(context: ILoadOptionsFunctions): Promise<CatalogueTool | undefined> {
  const name = chosenInPanel(context);
  if (name === '') return undefined;
  const { tools } = await withEditorSession(context, (session) => session.listTools());
  return tools.find((tool) => tool.name === name) ?? refuseUnknown(name, tools);
}

export function refuseUnknown(name: string, tools: readonly CatalogueTool[]): never {
  const names = enumerate(tools.map((tool) => tool.name)) || 'none that can be called';
  throw new SetupError(`The server has no tool "${name}"`, `Its tools: ${names}.`);
}
