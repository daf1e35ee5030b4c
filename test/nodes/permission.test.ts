import type { ICredentialsDecrypted, ICredentialTestFunctions } from 'n8n-workflow';
import { describe, expect, test, vi } from 'vitest';
import { refuseStdio } from '../../nodes/connection/server.js';
import { execution } from './context.js';
import { built } from './packed.js';

const data = { command: '/no/such/command' };
const started = /\/no\/such\/command/;

// No n8n here could tell its users; test/hosts/n8n/places/queue/queue.test.ts tests with one.
describe.each<[value: string | undefined, outcome: RegExp]>([
  ['on', started],
  [' True ', started],
  ['off', /switched off .*MCP_VERBATIM_STDIO=off/],
  ['0', /switched off/],
  [undefined, /does not say how many users it has.*MCP_VERBATIM_STDIO=on/],
  ['perhaps', /does not say how many users/],
])('starting servers by a command, with MCP_VERBATIM_STDIO=%s', (value, outcome) => {
  test('The credential test says whether servers may be started by a command', async () => {
    vi.stubEnv('MCP_VERBATIM_STDIO', value);
    const test = built.node('McpVerbatim').methods?.credentialTest?.['mcpVerbatimStdioTest'];
    const credential: ICredentialsDecrypted = { id: '1', name: 'Stdio', type: 'mcpVerbatimStdioApi', data };
    // It uses none of n8n's helpers.
    const answer = await test?.call({} as ICredentialTestFunctions, credential);
    expect(answer?.status).toBe('Error');
    expect(answer?.message).toMatch(outcome);
  });

  test('A run says whether servers may be started by a command', async () => {
    vi.stubEnv('MCP_VERBATIM_STDIO', value);
    const type = built.node('McpVerbatim');
    const parameters = { server: 'stdio', operation: 'list' };
    const node = { type, parameters, credentials: { mcpVerbatimStdioApi: data } };
    const error = await Promise.resolve(type.execute?.call(execution(node).run())).catch((reason: unknown) => reason);
    const { message, description } = error as Error & { description?: string };
    expect(`${message} ${description}`).toMatch(outcome);
  });
});

test.each([
  [1, undefined],
  [2, /several users/],
  [undefined, /not enabled on this n8n/],
])('With %s users, n8n may start servers by a command or says why not', async (users, outcome) => {
  vi.stubEnv('MCP_VERBATIM_STDIO', undefined);
  const refused = expect(refuseStdio(() => Promise.resolve(users)));
  if (outcome === undefined) await refused.resolves.toBeUndefined();
  else await refused.rejects.toThrow(outcome);
});
