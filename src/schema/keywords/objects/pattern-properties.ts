import { isObject, quote } from '../../../json/index.js';
import { defineKeyword, namesIn, type SchemaNode } from '../keyword.js';
import type { Pattern } from '../../patterns/pattern.js';
import { and, INVALID, UNDETERMINED, VALID, type Verdict } from '../verdict.js';

interface Entry {
  readonly pattern: Pattern;
  readonly schema: SchemaNode;
}

/** core, 10.3.2.2. Under a pattern that JavaScript cannot parse, nothing is checked. */
export const patternProperties = defineKeyword<readonly Entry[]>({
  name: 'patternProperties',
  compile(value, at) {
    if (!isObject(value)) return at.malformed('an object of schemas');
    return Object.keys(value).map((source) => {
      const pattern = at.pattern(source);
      if (!pattern.isReadable) {
        at.report('unparsable-pattern', `JavaScript cannot read the pattern ${quote(source)}; it is not checked here.`);
      }
      return { pattern, schema: at.child(value[source], source) };
    });
  },
  evaluate({ value: entries, node }, instance, context, evaluated) {
    if (!isObject(instance)) return VALID;
    let result: Verdict = VALID;
    for (const name of namesIn(instance, context)) {
      context.consume(entries.length);
      for (const { pattern, schema } of entries) {
        if (!pattern.isReadable) {
          evaluated?.addProperty(name);
          continue;
        }
        const match = context.matches(pattern, name, node, 'patternProperties');
        if (match === INVALID) continue;
        if (match === UNDETERMINED) {
          if (evaluated) evaluated.uncertain = true;
          if (context.tryAt(schema, instance[name], name) !== VALID) result = and(result, UNDETERMINED);
          continue;
        }
        evaluated?.addProperty(name);
        result = and(result, context.applyAt(schema, instance[name], name));
        if (context.settled(result)) return result;
      }
    }
    return result;
  },
  matching: ({ value: entries }, name) =>
    entries
      .filter(({ pattern }) => !pattern.isTried || pattern.isRisky(name.length) || pattern.matches(name) !== false)
      .map(({ schema }) => schema),
});
