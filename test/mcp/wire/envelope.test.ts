import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fc } from '../../../test-support/fuzz.js';
import { answersUnread, messageText, readMessages, type Message } from '../../../src/mcp/wire/envelope.js';
import { beginning, brokenAnswer } from '../../../src/mcp/errors/wire-problem.js';

const kinds = (text: string) => readMessages(text)?.map((message) => message.kind);

/** `null`: no message, or no id. */
const { received, sent } = JSON.parse(readFileSync(new URL('./messages.json', import.meta.url), 'utf8')) as {
  received: [text: string, messages: Message[] | null][];
  sent: [
    method: string,
    params: object,
    meta: object,
    id: number | string | null,
    texts: object | null,
    text: string,
  ][];
};

test.each(received)('The text %s of a server is read as %j', (text, expected) => {
  const wired = (key: string, value: unknown) => (key === 'wire' ? { text, ...(value as object) } : value);
  expect(readMessages(text) ?? null).toEqual(JSON.parse(JSON.stringify(expected), wired));
});

test.each(sent)(
  'A message is written as the client wants it: %s %j %j %j %j',
  (method, params, meta, id, texts, text) => {
    expect(
      messageText(method, { ...params, ...(texts && { none: undefined }) }, { ...meta }, id ?? undefined, texts ?? {}),
    ).toBe(text);
  },
);

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
