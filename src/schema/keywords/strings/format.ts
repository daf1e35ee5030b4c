import { quote } from '../../../json/index.js';
import { defineKeyword } from '../keyword.js';
import { findFormat, type Format, isCustomaryFormat } from './formats.js';
import { VALID } from '../verdict.js';

/** validation, 7: an annotation, unless the caller wants formats asserted. */
export const format = defineKeyword<{ readonly name: string; readonly format: Format }>({
  name: 'format',
  compile(value, at) {
    if (typeof value !== 'string') return at.malformed('a string');
    const found = findFormat(value);
    if (found) return { name: value, format: found };
    if (!isCustomaryFormat(value)) {
      at.report('unknown-format', `The format ${quote(value)} is unknown; it is not checked.`);
    }
    return undefined;
  },
  evaluate: ({ value, node }, instance, context) =>
    context.assertFormats && typeof instance === 'string' ? context.conforms(value.format, instance, node) : VALID,
  expected: ({ value }) => ({ kind: 'format', name: value.name }),
});
