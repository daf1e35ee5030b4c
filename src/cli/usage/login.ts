import type { Given, Usage } from './option.js';
import { serverOptions } from './server.js';

export const login = {
  summary: 'sign in to a server in the browser',
  about: `Signs in to a server that wants that (OAuth): its page is opened in the browser, or its address is shown, and the
tokens are kept in mcp-verbatim/tokens.json of your settings folder, which only you can read. From then on --url, and a
configuration file, use them for this address, and renew them. A header Authorization is used in their place.`,
  options: serverOptions,
  examples: ['login --url https://example.com/mcp', 'login --config mcp.json --server tracker'],
} satisfies Usage;

export const logout = {
  summary: 'forget the tokens of a server',
  about: 'Forgets the tokens that login has kept for the server. They stay good at the server until they expire.',
  options: serverOptions,
  examples: ['logout --url https://example.com/mcp'],
} satisfies Usage;

export type LoginGiven = Given<typeof login>;
