import { expect, test } from 'vitest';
import { exampleValue, sentSchema, signature } from '../../src/projections/index.js';
import { integer, members, object, texts, times, to } from '../../test-support/schemas/short.js';

const wide = (count: number, schema: unknown) => object(members(texts(count), () => schema));

test('an example of a schema whose references multiply is built of some hundred parts', () => {
  let looks = 0;
  const leaf = new Proxy(integer, {
    ownKeys: (target) => (looks++, Reflect.ownKeys(target)),
    get: (target, name) => (looks++, Reflect.get(target, name) as unknown),
  });
  exampleValue({ inputSchema: wide(30, leaf) });
  const once = looks;
  looks = 0;
  const $defs = { a: wide(30, to('b')), b: wide(30, to('c')), c: wide(30, leaf) };
  exampleValue({ inputSchema: { ...wide(30, to('a')), $defs } });
  // The full text would have 810,000.
  expect(looks).toBeLessThan(40 * once);
});

test('a signature is written of some thousand parts', () => {
  const text = signature({ inputSchema: wide(60, wide(60, { type: 'boolean' })) }, { maxLength: 1_000_000 });
  // The full text would have 60 + 60 * 60.
  expect(text.split(': boolean')).toHaveLength(1968);
  expect(text).toContain('p59?: …');
});

test('very many parts of a root are not joined: the model is sent any object, and not what is refused', () => {
  const joined = (parts: number) => {
    const allOf = times(parts, (part) => ({ properties: members(texts(50, `p${part}_`), () => ({ ...integer })) }));
    return sentSchema({ allOf }, 'openai').schema;
  };
  expect(Object.keys(joined(10)['properties'] as object)).toHaveLength(500);
  expect(joined(500)).toEqual({ type: 'object', properties: {} });
});
