import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paramHeaders, readHeaderAnnotations } from '../../../src/mcp/http/request-headers.js';

/** `null`: no header. */
const { invalid, repeated } = JSON.parse(readFileSync(new URL('./param-headers.json', import.meta.url), 'utf8')) as {
  invalid: [where: string, schema: object, fault: object][];
  repeated: [what: string, value: unknown, header: string | null][];
};
const object = (properties: object) => ({ type: 'object', properties });
const marked = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });

test.each(invalid)('An x-mcp-header %s makes a tool invalid', (_, schema, fault) => {
  expect(readHeaderAnnotations(schema)).toEqual({ annotations: [], fault });
});

test('An x-mcp-header is found at any depth of properties', () => {
  const schema = object({ where: object({ region: marked('Region') }), on: marked('On', 'boolean') });
  expect(readHeaderAnnotations(schema)).toEqual({
    annotations: [
      { path: ['where', 'region'], header: 'Region' },
      { path: ['on'], header: 'On' },
    ],
  });
});

test.each(repeated)('An x-mcp-header repeats %s', (_, value, header) => {
  const schema = object({ a: marked('A-B'), b: object({ c: marked('C', 'integer') }), d: marked('D') });
  const expected = { ...(header !== null && { 'mcp-param-a-b': header }), 'mcp-param-c': '7' };
  expect(paramHeaders(schema, { a: value, b: { c: 7 } })).toEqual(expected);
  expect(paramHeaders(schema, { b: value })).toEqual({});
});
