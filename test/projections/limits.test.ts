import { expect, onTestFinished, test, vi } from 'vitest';
import { exampleValue, providerSafeSchema, signature } from '../../src/projections/index.js';

test('an example of a schema whose references multiply is built of some hundred parts', () => {
  let looks = 0;
  const leaf = new Proxy(
    { type: 'integer' },
    {
      ownKeys: (target) => (looks++, Reflect.ownKeys(target)),
      get: (target, name) => (looks++, Reflect.get(target, name) as unknown),
    },
  );
  const wide = (schema: unknown) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, schema])),
  });
  exampleValue({ inputSchema: wide(leaf) });
  const once = looks;
  looks = 0;
  const $defs = { a: wide({ $ref: '#/$defs/b' }), b: wide({ $ref: '#/$defs/c' }), c: wide(leaf) };
  exampleValue({ inputSchema: { ...wide({ $ref: '#/$defs/a' }), $defs } });
  // 810,000 in full.
  expect(looks).toBeLessThan(40 * once);
});

test('a signature is written of some thousand parts', () => {
  const wide = (schema: unknown, letter: string) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${letter}${i}`, schema])),
  });
  const text = signature({ inputSchema: wide(wide({ type: 'boolean' }, 'b'), 'a') }, { maxLength: 1_000_000 });
  // 60 + 60 * 60 in full.
  expect(text.split(': boolean')).toHaveLength(1968);
  expect(text).toContain('a59?: …');
});

test('very many parts of a root are not joined: the model is sent the schema as it is', () => {
  // By the steps, whatever the clock says.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
  const joined = (parts: number) => {
    const allOf = Array.from({ length: parts }, (_, part) => ({
      properties: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${part}_${i}`, { type: 'integer' }])),
    }));
    return providerSafeSchema({ allOf }, 'openai');
  };
  expect(Object.keys(joined(10)['properties'] as object)).toHaveLength(500);
  expect(joined(500)).toHaveProperty('allOf');
});
