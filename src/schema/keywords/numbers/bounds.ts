import { member } from '../../../json/index.js';
import { type CompileContext, defineKeyword, type Keyword } from '../keyword.js';
import { INVALID, VALID } from '../verdict.js';

interface Bound {
  readonly limit: number;
  readonly strict: boolean;
}

/** validation, 6.2.4. `exclusiveMinimum: true` beside it (draft-04) makes it strict in every dialect. */
export const minimum = bound('minimum', 'exclusiveMinimum', '>');

/** validation, 6.2.2. `exclusiveMaximum: true` beside it (draft-04) makes it strict in every dialect. */
export const maximum = bound('maximum', 'exclusiveMaximum', '<');

/** validation, 6.2.5; as a boolean (draft-04) it belongs to `minimum`. */
export const exclusiveMinimum = exclusiveBound('exclusiveMinimum', 'minimum', '>');

/** validation, 6.2.3; as a boolean (draft-04) it belongs to `maximum`. */
export const exclusiveMaximum = exclusiveBound('exclusiveMaximum', 'maximum', '<');

function bound(name: string, exclusive: string, sign: '>' | '<'): Keyword {
  return boundKeyword(name, sign, (value, at) =>
    typeof value === 'number'
      ? { limit: value, strict: member(at.schema, exclusive) === true }
      : at.malformed('a number'),
  );
}

function exclusiveBound(name: string, companion: string, sign: '>' | '<'): Keyword {
  return boundKeyword(name, sign, (value, at) => {
    if (typeof value === 'number') return { limit: value, strict: true };
    if (typeof value !== 'boolean') return at.malformed('a number');
    if (at.dialect !== 'draft-04') {
      at.report('legacy-keyword', `A boolean "${name}" is the draft-04 form; it is applied to "${companion}".`);
    }
    return undefined;
  });
}

function boundKeyword(
  name: string,
  sign: '>' | '<',
  compile: (value: unknown, at: CompileContext) => Bound | undefined,
): Keyword {
  return defineKeyword<Bound>({
    name,
    compile,
    evaluate({ value: { limit, strict } }, instance) {
      if (typeof instance !== 'number' || (!strict && instance === limit)) return VALID;
      return (sign === '>' ? instance > limit : instance < limit) ? VALID : INVALID;
    },
    expected: ({ value: { limit, strict } }) => ({ kind: 'bound', sign: strict ? sign : `${sign}=`, limit }),
  });
}
