import { defineKeyword } from '../keyword.js';
import { counted } from '../violations/phrases.js';
import { INVALID, VALID } from '../verdict.js';
import { compileCount } from './string-length.js';

/** validation, 6.4.2 */
export const minItems = defineKeyword<number>({
  name: 'minItems',
  compile: compileCount,
  evaluate: ({ value }, instance) => (!Array.isArray(instance) || instance.length >= value ? VALID : INVALID),
  expected: ({ value }) => ({
    expected: `at least ${counted(value, 'item')}`,
    problem: `must have at least ${counted(value, 'item')}`,
  }),
});

/** validation, 6.4.1 */
export const maxItems = defineKeyword<number>({
  name: 'maxItems',
  compile: compileCount,
  evaluate: ({ value }, instance) => (!Array.isArray(instance) || instance.length <= value ? VALID : INVALID),
  expected: ({ value }) => ({
    expected: `at most ${counted(value, 'item')}`,
    problem: `must have at most ${counted(value, 'item')}`,
  }),
});
