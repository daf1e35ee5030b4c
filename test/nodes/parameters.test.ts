import { ExpressionError, type IExecuteFunctions, type ILoadOptionsFunctions } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { chosenServer, NoCredential, RunTimeCredential, serverAddress } from '../../nodes/connection/server.js';
import { chosen, chosenInPanel } from '../../nodes/McpVerbatim/parameters.js';
import { toolNotice } from '../../nodes/McpVerbatim/notices.js';
import { toolFields } from '../../nodes/McpVerbatim/form.js';
import { formError, readArguments } from '../../nodes/McpVerbatim/arguments.js';
import { objectIn } from '../../nodes/values.js';
import { type CatalogueTool, FormValueError } from '../../src/internal.js';

const field = { displayName: 'Arguments (JSON)', name: 'arguments' };

test.each<[given: unknown, args: object]>([
  [undefined, {}],
  [' ', {}],
  [{ a: 1 }, { a: 1 }],
])('the arguments %j', (given, args) => {
  expect(objectIn({ arguments: given }, field)).toEqual(args);
});

test('a number is no arguments, and a wrong JSON says where', () => {
  expect(() => objectIn({ arguments: 7 }, field)).toThrow('"Arguments" is not a JSON object');
  expect(() => objectIn({ arguments: '{"a" 1}' }, field)).toThrow(/is not valid JSON: .*position 5/);
});

test.each<[given: string, typed: string, rounded: string | undefined]>([
  ['{"id":4611686018427388000}', '={"id":{{ $json.id }}}', '/id'],
  ['{"at":{"id":1e+21}}', '={{ $json }}', '/at/id'],
  ['{"id":4611686018427388000}', '{"id":4611686018427388000}', undefined],
  ['{"id":4611686018427387905}', '={{ $json.text }}', undefined],
  ['{"id":"4611686018427388000"}', '={{ $json }}', undefined],
])('an integer in %s, if the schema takes %s, may have been rounded at %s', (given, typed, rounded) => {
  const context = {
    getNodeParameter: (name: string) => (name === 'jsonArguments' ? { value: { arguments: given } } : 'json'),
    getNode: () => ({ typeVersion: 1, parameters: { jsonArguments: { value: { arguments: typed } } } }),
  } as unknown as IExecuteFunctions; // the only members that are read
  const tool = { name: 't', inputSchema: {} } as CatalogueTool;
  expect(readArguments(context, 0, tool)).toMatchObject({ argumentsText: given, roundedArgument: rounded });
});

test.each([
  ['echo', 'echo'],
  [7, '7'],
])("a picker's choice: %j", (value, name) => {
  const context = { getNodeParameter: () => value };
  expect(chosen(context as unknown as IExecuteFunctions, 'tool', 0, 'tool')).toBe(name);
  expect(chosenInPanel(context as unknown as ILoadOptionsFunctions)).toBe(name);
});

test('nothing chosen is an error of a run, and none of the panel', () => {
  const context = { getNodeParameter: () => ' ' };
  expect(() => chosen(context as unknown as IExecuteFunctions, 'tool', 0, 'tool')).toThrow('No tool is chosen');
  expect(chosenInPanel(context as unknown as ILoadOptionsFunctions)).toBe('');
});

test.each<[expected: 'object' | 'array', example: unknown, advice: string]>([
  ['array', ['a'], 'If the value is one entry of it: {{ [ $json.q ] }}'],
  ['object', { q: 'a', n: 1 }, 'If the value is its "q": {{ { "q": $json.q, "n": 1 } }}'],
  ['object', undefined, 'If the value is an object already: {{ $json.q }}'],
])('a value dropped onto a field for an %s with the example %j', (expected, example, advice) => {
  const error = new FormValueError('q', expected, 'It is no JSON.');
  expect(formError(error, { example }, '=[]{{ $json.q }}').advice).toContain(advice);
});

test('no expression is advised for a field without one', () => {
  expect(formError(new FormValueError('q', 'array', 'No.'), { example: [] }, '[').advice).not.toContain('{{');
});

test('a panel whose tool is chosen at run time asks no server', async () => {
  const context = {
    getNodeParameter: (name: string) => {
      if (name === 'tool') throw new Error('An expression about an item');
      return 'form';
    },
  } as unknown as ILoadOptionsFunctions;
  expect(await toolNotice(context)).toMatchObject({ emptyFieldsNotice: expect.stringMatching(/chosen at run time/) });
  expect(await toolFields(context)).toEqual({ fields: [] });
});

const credentials = { mcpVerbatimHttpApi: { id: '1', name: 'Server' } };

test.each<[error: Error, ofNode: object, kind: new (...given: never[]) => Error, transport?: string]>([
  [new ExpressionError('No item'), credentials, RunTimeCredential],
  [new TypeError('No such credential'), credentials, TypeError],
  [new TypeError('No credential is set'), { mcpVerbatimStdioApi: { id: '2', name: 'Program' } }, NoCredential],
  [new TypeError('No credential is set'), {}, NoCredential, 'oAuth2'],
])('a credential that the panel cannot read: %s', async (error, ofNode, kind, transport = 'http') => {
  const context = {
    getNodeParameter: () => transport,
    getCredentials: () => Promise.reject(error),
    getNode: () => ({ credentials: ofNode }),
  };
  const read = chosenServer(context as unknown as ILoadOptionsFunctions, 0);
  await expect(read).rejects.toBeInstanceOf(kind);
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
])('the address of the server of a credential: %s, %j', (type, data, address) => {
  expect(serverAddress(type, data)).toEqual(address);
});
