import { defineKeyword } from '../keyword.js';
import { INVALID } from '../verdict.js';

/** What the schema `false` says: nothing is valid. */
export const never = defineKeyword<undefined>({
  name: 'false',
  compile: () => undefined,
  evaluate: () => INVALID,
  expected: () => ({ expected: 'absent', problem: 'is not allowed' }),
});
