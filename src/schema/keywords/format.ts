import { findFormat, isKnownFormat, type FormatCheck } from '../formats.js';
import { defineKeyword } from '../keyword.js';
import { truncated } from '../violations/phrases.js';
import { INVALID, VALID } from '../verdict.js';

interface Format {
  readonly name: string;
  readonly accepts: FormatCheck;
}

/** validation, 7: an annotation, unless the caller wants formats asserted. */
export const format = defineKeyword<Format>({
  name: 'format',
  compile(value, at) {
    if (typeof value !== 'string') return at.malformed('a string');
    if (!isKnownFormat(value)) at.report('unknown-format', `The format ${truncated(value)} is unknown; it is not checked.`);
    const accepts = findFormat(value);
    return accepts && { name: value, accepts };
  },
  evaluate: ({ value }, instance, run) =>
    !run.assertFormats || typeof instance !== 'string' || value.accepts(instance) ? VALID : INVALID,
  expected: ({ value }) => ({ expected: `a valid ${value.name}` }),
});
