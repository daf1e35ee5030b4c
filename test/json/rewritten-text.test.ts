import { expect, test } from 'vitest';
import { parseJson, type JsonObject } from '../../src/json/index.js';
import { rewrittenText } from '../../src/json/rewritten-text.js';

/** The text that is sent after repairs. */
const accepted = (text: string, repaired: object) =>
  rewrittenText(text, { ...(parseJson(text) as JsonObject), ...repaired });

const exact = '9007199254740993';
const deep = '['.repeat(10_000) + ']'.repeat(10_000);

test.each<[where: string, text: string, repaired: object, sent: string]>([
  ['beside a member', `{"a":"1","b":${exact}}`, { a: 1 }, `{"a":1,"b":${exact}}`],
  [
    'in an item of a list and beside it',
    `{"rows":[{"n":"1","id":${exact}}, {"x":1.0}],"big":1e400}`,
    { rows: [{ n: 1, id: Number(exact) }, { x: 1 }] },
    `{"rows":[{"n":1,"id":${exact}}, {"x":1.0}],"big":1e400}`,
  ],
  ['beside a member that is added', '{"b":-0.0}', { a: 'x' }, '{"a":"x", "b":-0.0}'],
  ['the last of a duplicate key', `{"a":"1","b":1,"b":${exact}}`, { a: 1 }, `{"a":1, "b":${exact}}`],
  ['under a name that objects inherit', `{"toString":${exact},"a":"1"}`, { a: 1 }, `{"toString":${exact},"a":1}`],
  ['except in a list that has become longer', '{"a":[1.0]}', { a: [1, 2] }, '{"a":[1,2]}'],
  ['beside lists that nest 10,000 deep', `{"a":"1","deep":${deep}}`, { a: 1 }, `{"a":1,"deep":${deep}}`],
])('The text of arguments is sent as it was written, %s', (_where, text, repaired, sent) => {
  expect(accepted(text, repaired)).toBe(sent);
});

test('The text of arguments is sent as it was written, beside a member that is left out', () => {
  expect(rewrittenText(`{"a":null,"b":[${exact}]}`, { b: [Number(exact)] })).toBe(`{"b":[${exact}]}`);
});
