import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import * as source from '../../src/schema/index.js';

/** The output of `npm run build`. */
const bundle = '../../packages/mcp-verbatim/dist/cjs/index.js';

const formats = [
  ...['date-time', 'date', 'time', 'duration', 'email', 'idn-email', 'hostname', 'idn-hostname', 'ipv4', 'ipv6'],
  ...['uri', 'uri-reference', 'iri', 'iri-reference', 'uuid', 'uri-template'],
  ...['json-pointer', 'relative-json-pointer', 'regex'],
];
const texts = [
  ...['', 'a', '/a', '0/a', '2026-07-28', '2026-07-28T12:00:00Z', '12:00:00Z', 'P1D', 'a@example.com'],
  ...['ü@bücher.example', '-', 'a b', '(', '{a}', '127.0.0.1', '::1', 'https://example.com/', `${'a'.repeat(6000)}@`],
];

test('The built library checks formats like the source', () => {
  const built = createRequire(import.meta.url)(bundle) as typeof source;
  const schemas = formats.map((format) => ({ format }));
  for (const schema of schemas)
    expect(built.evaluate(built.compileSchema(schema), 'a b')).toEqual({ outcome: 'valid' });
  expect(built.compileSchema({ format: 'nobody-knows' }).diagnostics).toMatchObject([{ code: 'unknown-format' }]);

  // The first value is a long text, which the watchdog checks; that may take a while on a busy machine.
  const options = { assertFormats: true, budget: { patternMs: 60_000 } };
  const verdicts = ({ compileSchema, evaluate }: typeof source) =>
    schemas.map((schema) => texts.toReversed().map((text) => evaluate(compileSchema(schema), text, options).outcome));
  expect(verdicts(built)).toEqual(verdicts(source));
});
