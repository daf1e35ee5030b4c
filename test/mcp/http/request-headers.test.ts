import { expect, test } from 'vitest';
import { paramHeaders, readHeaderAnnotations } from '../../../src/mcp/http/request-headers.js';

const object = (properties: object) => ({ type: 'object', properties });
const marked = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });

test.each<[string, unknown, string]>([
  ['on a number', object({ n: marked('N', 'number') }), '#/properties/n/x-mcp-header'],
  ['on an object', object({ o: marked('O', 'object') }), '#/properties/o/x-mcp-header'],
  ['on no type', object({ a: { 'x-mcp-header': 'A' } }), '#/properties/a/x-mcp-header'],
  ['on the root', { ...object({}), 'x-mcp-header': 'Root' }, '#/x-mcp-header'],
  ['that is empty', object({ a: marked('') }), '#/properties/a/x-mcp-header'],
  ['that is no text', object({ a: marked(1) }), '#/properties/a/x-mcp-header'],
  ['with a line break', object({ a: marked('a\r\nb') }), '#/properties/a/x-mcp-header'],
  ['that repeats another in another case', object({ a: marked('A'), b: marked('a') }), '#/properties/b/x-mcp-header'],
  ['in the items of a list', object({ l: { items: marked('A') } }), '#/properties/l/items/x-mcp-header'],
  ['in a branch', { anyOf: [object({ a: marked('A') })] }, '#/anyOf/0/properties/a/x-mcp-header'],
  ['in a definition', { $defs: { 'a/b': marked('A') } }, '#/$defs/a~1b/x-mcp-header'],
  ['in the schema of a content', { contentSchema: marked('A') }, '#/contentSchema/x-mcp-header'],
  ['in a pattern property', { patternProperties: { '^a': marked('A') } }, '#/patternProperties/^a/x-mcp-header'],
])('An x-mcp-header %s makes a tool invalid', (_, schema, schemaLocation) => {
  expect(readHeaderAnnotations(schema)).toMatchObject({ annotations: [], fault: { schemaLocation } });
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

test.each<[string, unknown, string | undefined]>([
  ['plain text', 'eu-west 1', 'eu-west 1'],
  ['a number', 42, '42'],
  ['true', true, 'true'],
  ['text with a line break', 'a\nb', '=?base64?YQpi?='],
  ['text with accents', 'é', '=?base64?w6k=?='],
  ['text with a space at its end', 'a ', '=?base64?YSA=?='],
  ['empty text', '', '=?base64??='],
  ['text that looks encoded', '=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
  ['null', null, undefined],
  ['nothing', undefined, undefined],
  ['a list', ['a'], undefined],
  ['a number beyond what is exact', 2 ** 60, undefined],
])('An x-mcp-header repeats %s', (_, value, header) => {
  expect(paramHeaders(object({ a: marked('A') }), { a: value })).toEqual(
    header === undefined ? {} : { 'mcp-param-a': header },
  );
});
