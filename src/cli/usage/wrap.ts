import { flag, type Given, type Usage } from './option.js';

export const wrap = {
  summary: "a client's configuration with all its servers behind serve",
  operands: [{ form: 'FILE', needed: 'a file' }],
  about: `Shows the configuration of an MCP client (mcp.json, claude_desktop_config.json, …) with every server behind
mcp-verbatim serve. Secrets are hidden in what is shown.`,
  options: { write: flag('write it to FILE, and keep what it was in FILE.before-mcp-verbatim') },
  examples: ['wrap ~/.cursor/mcp.json --write'],
} satisfies Usage;

export type WrapGiven = Given<typeof wrap>;
