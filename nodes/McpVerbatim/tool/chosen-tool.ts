import type { ILoadOptionsFunctions } from 'n8n-workflow';
import type { CatalogueTool } from '../../../src/internal.js';
import { withEditorSession } from '../../connection/session.js';
import { SetupError } from '../../errors.js';
import { enumerate } from '../../text.js';
import { chosenInPanel } from '../parameters.js';

/** Undefined where none is chosen, or by an expression that has no value before the node runs. */
export async function toolInPanel(context: ILoadOptionsFunctions): Promise<CatalogueTool | undefined> {
  const name = chosenInPanel(context, 'tool');
  if (name === '') return undefined;
  const { tools } = await withEditorSession(context, (session) => session.listTools());
  return tools.find((tool) => tool.name === name) ?? refuseUnknown(name, tools);
}

/** @throws SetupError that names the tools there are */
export function refuseUnknown(name: string, tools: readonly CatalogueTool[]): never {
  const names = enumerate(tools.map((tool) => tool.name)) || 'none that can be called';
  throw new SetupError(`The server has no tool "${name}"`, `Its tools: ${names}.`);
}
