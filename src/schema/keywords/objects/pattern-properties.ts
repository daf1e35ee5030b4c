import { isObject, quote } from '../../../json/index.js';
import { defineKeyword, everyMember, type SchemaNode } from '../keyword.js';
import type { Pattern } from '../../patterns/pattern.js';
import { INVALID, UNDETERMINED, VALID } from '../verdict.js';

type Entries = readonly { readonly pattern: Pattern; readonly schema: SchemaNode }[];

/** core, 10.3.2.2. Under a pattern that JavaScript cannot parse, nothing is checked. */
export const patternProperties = defineKeyword<Entries>({
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
  evaluate: ({ value: entries, node }, instance, context, evaluated) =>
    everyMember(instance, context, (name, value) => {
      context.consume(entries.length);
      return context.every(entries, ({ pattern, schema }) => {
        const match = pattern.isReadable ? context.matches(pattern, name, node, 'patternProperties') : VALID;
        if (match === VALID) evaluated?.addProperty(name);
        if (match === INVALID || !pattern.isReadable) return VALID;
        if (match === VALID) return context.applyAt(schema, value, name);
        if (evaluated) evaluated.uncertain = true;
        return context.tryAt(schema, value, name) === VALID ? VALID : UNDETERMINED;
      });
    }),
  matching: ({ value: entries }, name) =>
    entries
      .filter(({ pattern }) => !pattern.isTried || pattern.isRisky(name.length) || pattern.matches(name) !== false)
      .map(({ schema }) => schema),
});
