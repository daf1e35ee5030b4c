import { ConfigurationError, counted, quote, shortened } from '../../json/index.js';
import { readCatalogue } from '../../mcp/index.js';
import { type ModelTool, modelTools, type ModelToolsOptions } from '../../tool/index.js';

export const usualResults = 5;

/** Characters of all names of the tools that the model reads. */
const namesRoom = 1_200;

/** A tool's name in a text for a model: as it is, or in JSON's quotes if it could be read as anything else. */
export function nameShown({ name }: Pick<ModelTool, 'name'>): string {
  return /^[\w.:/-]{1,128}$/.test(name) ? name : quote(name, 128);
}

export function threeTools(
  tools: readonly ModelTool[],
  server: string,
  naming: ModelToolsOptions,
): [ModelTool, ModelTool, ModelTool] {
  const definitions = Object.entries(parameters).map(([name, { required, properties }]) => ({
    name,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    // A host that asks a person about calls has no reason to ask about a search.
    ...(name !== 'call_tool' && { annotations: { readOnlyHint: true } }),
  }));
  const made = modelTools(readCatalogue(definitions).tools, naming);
  const [search, describe, call] = made as [ModelTool, ModelTool, ModelTool]; // one for each definition
  const all = tools.map(nameShown).join(', ');
  const listed = all.length <= namesRoom ? ` They are: ${all}.` : '';
  const whose = `the ${counted(tools.length, 'tool')} of ${server}`;
  const searching = `Search ${whose}, which are not listed one by one. Search whenever you need something that your other tools do not do.${listed}`;
  const describing = `Get the full descriptions and argument schemas of tools found with ${search.name}.`;
  const calling = `Call one of ${whose}, found with ${search.name}. Its arguments must fit its own schema.`;
  return [
    { ...search, description: searching },
    { ...describe, description: describing },
    { ...call, description: calling },
  ];
}

const parameters: Readonly<Record<string, { properties: object; required: string[] }>> = {
  search_tools: {
    properties: {
      query: { type: 'string', description: 'Words for what the tool should do, such as "create calendar event".' },
      limit: { type: 'integer', minimum: 1, maximum: 25, description: `Default ${usualResults}.` },
    },
    required: ['query'],
  },
  describe_tools: {
    properties: {
      names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 10, description: 'Names of tools.' },
    },
    required: ['names'],
  },
  call_tool: {
    properties: {
      name: { type: 'string', description: 'Name of the tool.' },
      arguments: { type: 'object', description: 'Arguments of the tool.' },
    },
    required: ['name'],
  },
};

export interface NoticeTool extends ModelTool {
  readonly text: string;
}

/** Characters of a description that every provider takes (OpenAI's limit is 1,024). */
const longestDescription = 1_000;

/**
 * A text about a server as the description of a tool, for hosts that give a model nothing but tools. A longer text is
 * read by calling it.
 */
export function noticeTool(name: string, text: string, naming: ModelToolsOptions): NoticeTool {
  const [tool] = modelTools(readCatalogue([{ name, inputSchema: { type: 'object', properties: {} } }]).tools, naming);
  if (!tool) throw new ConfigurationError(`"${name}" is no name of a tool.`);
  const rest = ' … Call this tool to read all of it.';
  const isLong = text.length > longestDescription;
  const description = isLong ? shortened(text, longestDescription - rest.length) + rest : text;
  return { ...tool, description, text };
}
