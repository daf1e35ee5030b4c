import { describe, expect, test } from 'vitest';
import { fc } from '../../../test-support/fuzz.js';
import { answersUnread, readMessages, type Message } from '../../../src/mcp/wire/envelope.js';
import { beginning, brokenAnswer } from '../../../src/mcp/errors/wire-problem.js';

const kinds = (text: string) => readMessages(text)?.map((message) => message.kind);

test.each<[string, Message['kind'][]]>([
  ['{"jsonrpc":"2.0","id":1,"result":{}}', ['answer']],
  ['{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"no"}}', ['answer']],
  ['{"jsonrpc":"2.0","id":1,"result":{},"error":null}', ['answer']],
  ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}', ['answer']],
  ['{"jsonrpc":"2.0","error":{}}', ['answer']],
  ['{"id":1,"result":{}}', ['answer']],
  ['{"error":{"message":"no"},"id":1}', ['answer']],
  ['{"error":{"message":"no"}}', ['answer']],
  ['{"error":{"code":7,"message":"no"},"id":null}', ['answer']],
  ['{"error":"no","id":1}', ['answer']],
  ['{"error":"no"}', ['answer']],
  ['{"jsonrpc":"2.0","id":1}', ['broken']],
  ['{"jsonrpc":"2.0","id":1,"result":"done"}', ['broken']],
  ['{"jsonrpc":"2.0","method":"notifications/message"}', ['notification']],
  ['{"jsonrpc":"2.0","id":7,"method":"ping"}', ['request']],
  [
    '[{"jsonrpc":"2.0","method":"a"},1,{"level":30,"id":1,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]',
    ['notification', 'answer'],
  ],
])('The text %s of a server is read as a message', (text, expected) => {
  expect(kinds(text)).toEqual(expected);
});

test.each([
  '{"level":30,"id":1,"result":{"ok":true}}',
  '{"id":1,"result":{},"error":{}}',
  '{"id":null,"error":{}}',
  '{"error":{}}',
  '{"method":"notifications/message","params":{}}',
  '{"jsonrpc":"1.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"2.0"}',
  '[]',
  '[[{"jsonrpc":"2.0","id":1,"result":{}}]]',
  'null',
  '{',
  '',
])('The text %s of a server holds no message', (text) => {
  expect(kinds(text)).toBeUndefined();
});

test('An answer without "jsonrpc" is read only if it has no other members', () => {
  const member = fc.string().filter((name) => !['id', 'result', 'error'].includes(name));
  fc.assert(
    fc.property(
      fc.dictionary(member, fc.jsonValue(), { minKeys: 1 }),
      fc.constantFrom('result', 'error'),
      (more, kind) => {
        fc.pre(more['jsonrpc'] !== '2.0');
        expect(kinds(JSON.stringify({ ...more, id: 1, [kind]: {} }))).toBeUndefined();
      },
    ),
  );
});

test('Reading a text never throws', () => {
  const json = fc.jsonValue();
  const members = { jsonrpc: fc.constantFrom('2.0', '1.0', 2), id: json, method: json, result: json, error: json };
  const part = fc.oneof(json, fc.record(members, { requiredKeys: [] }));
  fc.assert(
    fc.property(fc.oneof(part, fc.array(part)), (value) => {
      for (const message of readMessages(JSON.stringify(value)) ?? []) {
        expect(['answer', 'broken', 'notification', 'request']).toContain(message.kind);
      }
    }),
  );
});

describe('an error', () => {
  const errorIn = (error: unknown) => {
    const [message] = readMessages(JSON.stringify({ jsonrpc: '2.0', id: 1, error })) ?? [];
    if (message?.kind !== 'answer' || !('error' in message.answer)) throw new Error('no error');
    return message.answer;
  };

  test.each<[object, object?]>([
    [{ code: 5, message: 'no' }],
    [{ code: 5, message: 'no', data: null }],
    [
      { code: '5', message: 7 },
      { code: undefined, message: 'The server gave no message.' },
    ],
  ])('The error %j is read as it is, or as %j', (sent, read = sent) => {
    expect(errorIn(sent).error).toStrictEqual(read);
  });

  test('Two error codes say that a request was not read', () => {
    const unread = [-32700, -32600, -32601, 0].filter((code) => answersUnread(errorIn({ code, message: '' })));
    expect(unread).toEqual([-32700, -32600]);
    expect(answersUnread({ result: {}, wire: { text: '' } })).toBe(false);
  });

  test('The error for an invalid answer shows the answer', () => {
    expect(brokenAnswer('tools/call', { id: 1 })).toMatchObject({ code: 'PROTOCOL_VIOLATION', details: '{"id":1}' });
  });
});

test('The beginning of a text is cut between words, so that no part of a secret is left', () => {
  const text = `${'a '.repeat(98)}abc`;
  expect(beginning(`${text}d`)).toBe(`${text}d`);
  expect(beginning(`${text}de f`)).toBe(`${'a '.repeat(98)}…`);
});
