import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { serverAddress } from '../../nodes/connection/server.js';
import { toolNotice } from '../../nodes/McpVerbatim/notices.js';
import { toolFields } from '../../nodes/McpVerbatim/form.js';
import { formError } from '../../nodes/McpVerbatim/arguments.js';
import { FormValueError } from '../../src/internal.js';

test('An error advises expressions for a value dropped onto a field for a list, and none without a value', () => {
  const error = new FormValueError('q', 'array', 'It is no JSON.');
  const adviceFor = (typed: string) => formError(error, { example: ['a'] }, typed).advice;
  expect(adviceFor('=[]{{ $json.q }}')).toContain('If the value is one entry of it: {{ [ $json.q ] }}');
  expect(adviceFor('[')).not.toContain('{{');
});

test('A panel whose tool is chosen at run time asks no server', async () => {
  const context = {
    getNodeParameter: (name: string) => {
      if (name === 'tool') throw new Error('An expression about an item');
      return 'form';
    },
  } as unknown as ILoadOptionsFunctions;
  expect(await toolNotice(context)).toMatchObject({ emptyFieldsNotice: expect.stringMatching(/chosen at run time/) });
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
