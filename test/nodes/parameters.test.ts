import { ExpressionError, type ILoadOptionsFunctions } from 'n8n-workflow';
import { expect, test } from 'vitest';
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
