import type { DynamicStructuredTool } from '@langchain/core/tools';
import type { ZodType } from 'zod';
import type { ModelTool } from '../../../src/internal.js';
import type { HostPackages, ToolSchema } from '../../host/packages.js';
import { toldAs } from '../../host/tool.js';
import type { TextAgent } from '../workflow-graph.js';

type Host = Pick<HostPackages, 'DynamicStructuredTool' | 'toJsonSchema' | 'z'>;

/**
 * A tool for agents whose model writes its calls as text: it reads the schema in the prompt, and the tool reads the
 * arguments from what the model wrote.
 *
 * n8n refuses DynamicStructuredTools there, by their class's name, because they take no text; this one does.
 */
export function textTool(
  { name, description, schema }: Pick<ModelTool, 'name' | 'description' | 'schema'>,
  agent: TextAgent,
  call: (args: unknown) => Promise<string>,
  host: Host,
): DynamicStructuredTool {
  class TextTool extends host.DynamicStructuredTool {}
  const whole = `${description}\nThe input is one JSON object that fits this JSON Schema: ${JSON.stringify(schema)}`;
  // Plan and Execute shows the `properties` of what a tool takes, and nothing else: so they are all of the schema.
  const shown = { properties: schema };
  const isShown = agent.kind === 'planAndExecuteAgent';
  const tool = new TextTool({
    name,
    // What is shown already needs no description, and that agent fills no template with one.
    description: isShown ? description : escaped(whole, agent.version),
    schema: anythingShownAs(shown, host) as ToolSchema, // a Zod type of the host's, or what passes for one
    func: async (input: unknown) => {
      const args = readInput(input, schema);
      return args === undefined ? noObject : await call(args);
    },
  });
  return isShown ? toldAs(tool, shown, host) : tool;
}

const noObject = 'The input is not a JSON object. Write the arguments of the tool as one JSON object, and try again.';

/**
 * Braces as the prompt's template wants them: doubled. From version 1.5 on, AI Agent does so where a brace stands alone,
 * and takes two in a row for escaped already, which in JSON they are not.
 */
function escaped(text: string, agentVersion: number): string {
  return text.replace(agentVersion < 1.5 ? /[{}]/g : /\{{2,}|\}{2,}/g, '$&$&');
}

/** Takes any input. */
function anythingShownAs(schema: object, { z }: Host): ZodType {
  const anything = z.any();
  const shown = () => schema;
  const standard = { ...anything['~standard'], jsonSchema: { input: shown, output: shown } };
  return Object.defineProperty(anything, '~standard', { value: standard });
}

/** The arguments in what a model wrote: an object, JSON text of one, or the value of the only argument there is. */
function readInput(input: unknown, { properties }: Readonly<Record<string, unknown>>): object | undefined {
  const value = typeof input === 'string' ? parsed(input) : input;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const [only, ...more] = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return only !== undefined && more.length === 0 && value !== undefined ? { [only]: value } : undefined;
}

/** Models like to fence what they write. */
const fenced = /^\s*```(?:json)?\s*\n([^]*)\n\s*```\s*$/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(fenced.exec(text)?.[1] ?? text);
  } catch {
    return text;
  }
}
