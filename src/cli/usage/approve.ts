import { flag, type Given, text, type Usage } from './option.js';
import { serverOptions, usualFile } from './server.js';

const file = text('FILE', `${usualFile} if none is named`);

export const approve = {
  summary: "approve the server's tools as they are now: writes them to a file",
  about: `Approves the tools that the server has now: their texts on the wire, a digest of each, and where the server is,
without secrets. Says what has changed since the last time. Other servers in the file stay as they are.`,
  options: { ...serverOptions, file },
  examples: ['approve -- npx -y @modelcontextprotocol/server-everything', 'approve --config mcp.json --server github'],
} satisfies Usage;

export const diff = {
  summary: 'what is different from what was approved',
  about: `What is different from what was approved with approve: tools that are new, gone, renamed or changed, and how, in
words; and whether it is another server. Exit code 1 where there is anything.`,
  options: { ...serverOptions, file, json: flag('for programs') },
  examples: ['diff --config mcp.json'],
} satisfies Usage;

export type ApproveGiven = Given<typeof approve>;
export type DiffGiven = Given<typeof diff>;
