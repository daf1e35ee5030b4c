import { type INode, NodeOperationError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { errorForEditor, errorForModel, errorForPicker, nodeError, readable } from '../../nodes/errors.js';
import { checkArguments, ConnectionError, ServerError, TimeoutError } from '../../src/internal.js';

const node: INode = { id: '1', name: 'MCP Verbatim', type: 'x', typeVersion: 1, position: [0, 0], parameters: {} };

const inputSchema = {
  type: 'object',
  properties: { guests: { type: 'integer' }, note: { type: 'string' }, where: { $ref: '#/components/Where' } },
  additionalProperties: false,
};

function refusal(args: object): Error {
  try {
    checkArguments({ name: 'book', inputSchema }, args);
  } catch (error) {
    return error as Error; // the library throws only errors
  }
  throw new Error('The arguments were not refused.');
}

describe('arguments that do not fit', () => {
  const error = refusal({ guests: 'four', nope: 1 });

  test('A person sees each violation of arguments that do not fit, and what to do', () => {
    expect(readable(error)).toEqual({
      message: 'The arguments do not fit the input schema of "book"',
      description: [
        '• guests: must be integer, received string "four"',
        '• (root): must not have the property "nope" (did you mean "note"?)',
        'The tool was not called. Correct the arguments and run the node again.',
      ].join('\n'),
    });
  });

  test('A model reads the message about arguments that do not fit, and the editor shows it with HTML line breaks', () => {
    expect(errorForModel(node, error).message).toBe(error.message);
    expect(errorForEditor(node, error).description?.split('<br>')).toHaveLength(3);
  });

  test('The error about arguments that cannot be checked names the option that lets them through', () => {
    const { message, description } = readable(refusal({ where: {} }));
    expect(message).toBe('The arguments could not be validated against the input schema of "book"');
    expect(description).toMatch(/\/where[^]*"Uncheckable Arguments"/);
  });
});

test('An error in a picker says briefly what to do, without markup', () => {
  const error = new ConnectionError('It is <b>gone</b>.', { code: 'CONNECTION_FAILED', hint: 'Try again.' });
  expect(errorForPicker(node, error).message).toBe('It is ‹b>gone‹/b>.\nTry again.');
  expect(errorForPicker(node, new Error('x'.repeat(10_000))).message).toHaveLength(401);
});

describe('an error of the connection', () => {
  const trace =
    'loading\n\nError: API key is missing\n    at Object.<anonymous> (/srv/server.js:1:33)\n    at node:internal/main:51:3\n\nNode.js v24';
  const died = new ConnectionError('The server "node" ended with exit code 1.', {
    code: 'SERVER_EXITED',
    details: `Its last words on stderr:\n${trace}`,
    stderr: trace,
    hint: 'Run the command in a terminal.',
  });

  test("An error has one sentence as its title, the server's text once and without its stack trace, and the hint last", () => {
    expect(readable(died)).toEqual({
      message: 'The server "node" ended with exit code 1.',
      description:
        'Its last words on stderr:\nloading\n\nError: API key is missing\n\nNode.js v24\nRun the command in a terminal.',
    });
  });

  test.each([
    [
      new ServerError('It is gone.', -32000, { code: 7 }),
      { message: 'It is gone.', description: 'Details from the server: {"code":7}' },
    ],
    [new Error('It is gone: see there:'), { message: 'It is gone: see there:' }],
    [
      new NodeOperationError(node, 'It is not allowed', { description: 'Ask for it.' }),
      { message: 'It is not allowed', description: 'Ask for it.' },
    ],
    ['text', { message: 'text' }],
  ])('The error %s is shown as %j', (error, expected) => {
    expect(readable(error)).toEqual(expected);
  });

  test('An error tells people and models that the outcome is unknown, except in a credential test', () => {
    const error = new TimeoutError('No answer came within 1000 ms.', 1000, { outcomeUnknown: true });
    expect(readable(error).description).toMatch(/raise Time Limits: Idle Timeout.*\n.*is unknown/);
    expect(errorForModel(node, error).message).toMatch(/^No answer came within 1000 ms\. .*is unknown/);
    expect(errorForModel(node, error).message).not.toContain('Time Limits');
    expect(readable(error, { isRun: false }).description).not.toMatch(/is unknown|Time Limits/);
  });

  test.each([
    ['The server did not answer tools/call within 1500 ms.', 'within 1.5 seconds.', 'Idle Timeout'],
    ['The server did not finish tools/call within 60000 ms in all.', 'within 60 seconds in all.', 'Maximum Duration'],
  ])('An error names a time in seconds, like the option that sets it: %s', (title, said, option) => {
    const { message, description } = readable(new TimeoutError(title, 1));
    expect(message).toContain(said);
    expect(description).toContain(`Time Limits: ${option}`);
  });

  test('An error has one text for the model and one under "Error details", and visitors of a chat see neither', () => {
    const error = errorForModel(
      node,
      new ConnectionError('It is gone:', { code: 'HTTP_STATUS', details: 'at 10.0.0.7', hint: 'Look.' }),
    );
    expect(error.message).toBe('It is gone: at 10.0.0.7');
    expect(error.messages).toEqual(['It is gone.\nat 10.0.0.7\nLook.']);
    expect(error.description).toBe('A tool could not be used.');
  });

  test('An error keeps its text although n8n would replace it', () => {
    expect(nodeError(node, new Error('ECONNREFUSED at 127.0.0.1')).message).toBe('ECONNREFUSED at 127.0.0.1');
  });
});
