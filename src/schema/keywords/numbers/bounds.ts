import { member } from '../../../json/index.js';
import { defineKeyword } from '../keyword.js';
import { INVALID, VALID } from '../verdict.js';

interface Bound {
  readonly limit: number;
  readonly strict: boolean;
}

/** validation, 6.2.4. `exclusiveMinimum: true` beside it (draft-04) makes it strict in every dialect. */
export const minimum = defineKeyword<Bound>({
  name: 'minimum',
  compile(value, at) {
    if (typeof value !== 'number') {
      at.malformed('a number');
      return;
    }
    return { limit: value, strict: member(at.schema, 'exclusiveMinimum') === true };
  },
  evaluate({ value: { limit, strict } }, instance) {
    if (typeof instance !== 'number') return VALID;
    return instance > limit || (!strict && instance === limit) ? VALID : INVALID;
  },
  expected: ({ value: { limit, strict } }) => ({ kind: 'bound', sign: strict ? '>' : '>=', limit }),
});

/** validation, 6.2.2. `exclusiveMaximum: true` beside it (draft-04) makes it strict in every dialect. */
export const maximum = defineKeyword<Bound>({
  name: 'maximum',
  compile(value, at) {
    if (typeof value !== 'number') {
      at.malformed('a number');
      return;
    }
    return { limit: value, strict: member(at.schema, 'exclusiveMaximum') === true };
  },
  evaluate({ value: { limit, strict } }, instance) {
    if (typeof instance !== 'number') return VALID;
    return instance < limit || (!strict && instance === limit) ? VALID : INVALID;
  },
  expected: ({ value: { limit, strict } }) => ({ kind: 'bound', sign: strict ? '<' : '<=', limit }),
});
