import { flag, type Given, type Usage } from './option.js';
import { serverOptions } from './server.js';

export const show = {
  summary: 'one tool: its schema as a tree, its annotations',
  operands: [{ form: 'TOOL', needed: 'the name of a tool' }],
  about: `The tool's arguments as a tree: types, bounds, defaults, descriptions; referenced definitions are listed below,
each once. Then the output schema and what the server says of the tool's effects.`,
  options: { ...serverOptions, json: flag('the whole tool object exactly as the server wrote it') },
  examples: ['show create_issue --config mcp.json --server github'],
} satisfies Usage;

export type ShowGiven = Given<typeof show>;
