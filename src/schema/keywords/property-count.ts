import { isObject, type JsonObject } from '../json.js';
import { defineKeyword } from '../keyword.js';
import { counted } from '../violations/phrases.js';
import { INVALID, VALID } from '../verdict.js';
import { compileCount } from './string-length.js';

/** validation, 6.5.2 */
export const minProperties = defineKeyword<number>({
  name: 'minProperties',
  compile: compileCount,
  evaluate: ({ value }, instance) => (!isObject(instance) || countOf(instance) >= value ? VALID : INVALID),
  expected: ({ value }) => ({
    expected: `at least ${counted(value, 'property')}`,
    problem: `must have at least ${counted(value, 'property')}`,
  }),
});

/** validation, 6.5.1 */
export const maxProperties = defineKeyword<number>({
  name: 'maxProperties',
  compile: compileCount,
  evaluate: ({ value }, instance) => (!isObject(instance) || countOf(instance) <= value ? VALID : INVALID),
  expected: ({ value }) => ({
    expected: `at most ${counted(value, 'property')}`,
    problem: `must have at most ${counted(value, 'property')}`,
  }),
});

function countOf(object: JsonObject): number {
  return Object.keys(object).filter((name) => object[name] !== undefined).length;
}
