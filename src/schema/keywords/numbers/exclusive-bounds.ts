import { type CompileContext, defineKeyword } from '../keyword.js';
import { INVALID, VALID } from '../verdict.js';

/** validation, 6.2.5; as a boolean (draft-04) it belongs to `minimum`. */
export const exclusiveMinimum = defineKeyword<number>({
  name: 'exclusiveMinimum',
  compile: (value, at) => compileBound(value, at, 'minimum'),
  evaluate: ({ value }, instance) => (typeof instance !== 'number' || instance > value ? VALID : INVALID),
  expected: ({ value }) => ({ kind: 'bound', sign: '>', limit: value }),
});

/** validation, 6.2.3; as a boolean (draft-04) it belongs to `maximum`. */
export const exclusiveMaximum = defineKeyword<number>({
  name: 'exclusiveMaximum',
  compile: (value, at) => compileBound(value, at, 'maximum'),
  evaluate: ({ value }, instance) => (typeof instance !== 'number' || instance < value ? VALID : INVALID),
  expected: ({ value }) => ({ kind: 'bound', sign: '<', limit: value }),
});

function compileBound(value: unknown, at: CompileContext, companion: string): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'boolean') {
    at.malformed('a number');
    return;
  }
  if (at.dialect !== 'draft-04') {
    at.report('legacy-keyword', `A boolean "${at.keyword}" is the draft-04 form; it is applied to "${companion}".`);
  }
  return undefined;
}
