import { member, quote } from '../../../json/index.js';
import { defineKeyword, VALID } from '../keyword.js';
import type { Pattern } from '../../patterns/pattern.js';
import { canWatch } from '../../patterns/watchdog.js';

/** Characters of a text for which a pattern is diagnosed. */
const usualLength = 100;

/** validation, 6.3.3. Patterns that JavaScript cannot parse are left to the server. */
export const pattern = defineKeyword<Pattern>('pattern', {
  compile(value, at) {
    if (typeof value !== 'string') return at.malformed('a string');
    const compiled = at.pattern(value);
    if (compiled.isReadable) {
      if (at.diagnosing && compiled.isRisky(usualLength)) {
        const how = canWatch() ? 'is matched under a time limit' : 'is not checked here, because nothing could stop it';
        at.report('risky-pattern', `The pattern ${quote(value)} may be slow; it ${how}.`);
      }
      return compiled;
    }
    at.report('unparsable-pattern', `JavaScript cannot read the pattern ${quote(value)}; it is not checked here.`);
    return undefined;
  },
  evaluate: ({ value, node }, instance, context) =>
    typeof instance === 'string' ? context.matches(value, instance, node, 'pattern') : VALID,
  expected({ value: { source }, node: { schema } }) {
    const format = member(schema, 'format');
    return { kind: 'pattern', source, ...(typeof format === 'string' && { format }) };
  },
});
