import { ExpressionError, type ICredentialTestFunctions, type ILoadOptionsFunctions } from 'n8n-workflow';
import { expect, test, vi } from 'vitest';
import { McpVerbatim } from '../../nodes/McpVerbatim/McpVerbatim.node.js';
import { type Exchange, startHttpServer } from '../../test-support/servers/http.js';
import { serverAddress } from '../../nodes/connection/server.js';
import { toolNotice } from '../../nodes/McpVerbatim/notices.js';
import { toolFields } from '../../nodes/McpVerbatim/form.js';
import { readSelection } from '../../nodes/McpVerbatimTool/exposed/selection.js';

const atRunTime = () => {
  throw new ExpressionError('An expression about an item');
};

test.each([
  [
    'tool is chosen',
    { getNodeParameter: (name: string): unknown => (name === 'tool' ? atRunTime() : 'form') },
    'chosen at run time',
  ],
  [
    'credential gets its values',
    {
      getNodeParameter: (name: string): unknown => ({ server: 'http', argumentsMode: 'form' })[name] ?? 'a',
      getNode: () => ({ credentials: { mcpVerbatimHttpApi: { name: 'Mine' } } }),
      getCredentials: async () => atRunTime(),
    },
    'The credential "Mine" gets its values only when the node runs',
  ],
])('A panel whose %s at run time asks no server, and says why it has no form', async (_what, given, says) => {
  // A panel that asks no server reads these members alone.
  const context = given as unknown as ILoadOptionsFunctions;
  expect(await toolNotice(context)).toMatchObject({ emptyFieldsNotice: expect.stringContaining(says) });
  expect(await toolFields(context)).toEqual({ fields: [] });
});

const header = (name: string, value: string) => ({ values: [{ name, value }] });
const http = { transport: 'http', url: 'https://a.example/mcp' };

test.each([
  ['mcpVerbatimHttpApi', { url: ' https://a.example/mcp ', headers: header('X-A', 'b') }, { ...http, headers: {} }],
  [
    'mcpVerbatimHttpApi',
    { ...http, transport: 'sse', authentication: 'bearer', token: 't' },
    { ...http, transport: 'sse', headers: { Authorization: 'Bearer t' } },
  ],
  [
    'mcpVerbatimHttpApi',
    { ...http, authentication: 'headers', token: 't', headers: header('X-A', 'b') },
    { ...http, headers: { 'X-A': 'b' } },
  ],
  [
    'mcpVerbatimStdioApi',
    { command: ' npx ', args: { values: [{ value: ' a' }, {}] }, environment: header('KEY', 'v') },
    { transport: 'stdio', command: 'npx', args: [' a', ''], env: { KEY: 'v' } },
  ],
])('The address of the server of a credential is made of its fields: %s, %j', (type, data, address) => {
  expect(serverAddress(type, data)).toEqual(address);
});

test('The names of another choice, which the panel hides, are not read', () => {
  const hidden = { include: 'all', tools: { gone: true }, leaveOut: { gone: true } };
  const read = (parameter: string) => hidden[parameter as keyof typeof hidden];
  expect(readSelection(read)).toEqual({ include: 'all', named: [] });
});

const token = { authentication: 'bearer', token: 't' };
const refused = 'URL requires authorization (HTTP 401).';

test.each<[data: object, status: number | undefined, says: string]>([
  [{}, undefined, 'Connected to http 1, 1 tool (1 skipped), 2025-11-25'],
  [{}, 401, `${refused} The credential has no authentication. Choose Bearer Token or Headers in it.`],
  [token, 401, `${refused} Check the token or credential; it may be missing`],
  [token, 0, 'URL did not answer the attempt to connect within 30 seconds. Raise the timeout if'],
])('The test of a credential %j says what it has found, and leaves no session: %j, %s', async (data, status, says) => {
  const refuse = (exchange: Exchange) => status !== 0 && exchange.status(status ?? 400);
  await using server = await startHttpServer({
    'server/discover': refuse,
    initialize: (exchange) =>
      status === undefined ? exchange.introduce({}, { 'mcp-session-id': 's' }) : refuse(exchange),
    'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }, { name: 'broken' }] },
  });
  if (status === 0) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const type = 'mcpVerbatimHttpApi';
  const credential = { id: '1', name: 'Mine', type, data: { url: server.url, ...data } };
  const { mcpVerbatimHttpTest } = new McpVerbatim().methods.credentialTest;
  const answered = mcpVerbatimHttpTest.call({} as ICredentialTestFunctions, credential); // it uses no helper
  await expect.poll(() => server.methods()).toContain('initialize');
  if (status === 0) await vi.advanceTimersByTimeAsync(30_000);
  const answer = await answered;
  expect(answer.status).toBe(status === undefined ? 'OK' : 'Error');
  expect(answer.message.replace(server.url, 'URL').slice(0, says.length)).toBe(says);
  expect(server.seen.filter(({ verb }) => verb === 'DELETE')).toHaveLength(status === undefined ? 1 : 0);
});
