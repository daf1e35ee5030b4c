import { has, isObject, isText, type JsonObject, member, quote } from '../../../json/index.js';
import type { BoundKeyword, SchemaNode, Verdict } from '../keyword.js';
import { defineKeyword, everyMember, INVALID, UNDETERMINED, VALID } from '../keyword.js';
import type { Pattern } from '../../patterns/pattern.js';

/** validation, 6.5.3. In a list with other values, only the names count. */
export const required = defineKeyword<readonly string[]>('required', {
  compile(value, at) {
    if (!Array.isArray(value)) return at.malformed('an array of property names');
    const names = value.every(isText) ? value : value.filter(isText);
    if (names.length < value.length) {
      const message = '"required" must hold property names only; whatever else it holds is ignored.';
      at.report('malformed-keyword', message, 'error');
    }
    return names.length === 0 ? undefined : names;
  },
  evaluate(bound, instance, context) {
    if (!isObject(instance)) return VALID;
    context.consume(bound.value.length);
    let result: Verdict = VALID;
    for (const name of bound.value) {
      if (has(instance, name)) continue;
      result = INVALID;
      if (!context.collecting) break;
      const schema = member(member(bound.node.schema, 'properties'), name);
      context.report(bound, instance, { kind: 'missing', property: name, schema });
    }
    return result;
  },
});

interface Properties {
  readonly schemas: JsonObject;
  /** Nodes of the properties that calls really carry: a schema may list thousands. */
  readonly nodes: Map<string, SchemaNode>;
}

/** core, 10.3.2.1 */
export const properties = defineKeyword<Properties>('properties', {
  compile(value, at) {
    if (!isObject(value)) return at.malformed('an object of schemas');
    at.checkMembers(value);
    return { schemas: value, nodes: new Map() };
  },
  evaluate: (bound, instance, context, evaluated) =>
    everyMember(instance, context, (name, value) => {
      const node = propertyNode(bound, name);
      if (!node) return VALID;
      evaluated?.names.add(name);
      return context.applyAt(node, value, name);
    }),
});

function propertyNode({ value, node }: BoundKeyword<Properties>, name: string): SchemaNode | undefined {
  const { schemas, nodes } = value;
  const known = nodes.get(name);
  if (known || !Object.hasOwn(schemas, name)) return known;
  const found = node.child(schemas[name], 'properties', name);
  nodes.set(name, found);
  return found;
}

type Entries = readonly { readonly pattern: Pattern; readonly schema: SchemaNode }[];

/** core, 10.3.2.2. Under a pattern that JavaScript cannot parse, nothing is checked. */
export const patternProperties = defineKeyword<Entries>('patternProperties', {
  compile(value, at) {
    if (!isObject(value)) return at.malformed('an object of schemas');
    return Object.keys(value).map((source) => {
      const pattern = at.pattern(source);
      if (!pattern.isReadable)
        at.report('unparsable-pattern', `JavaScript cannot read the pattern ${quote(source)}; it is not checked here.`);
      return { pattern, schema: at.child(value[source], source) };
    });
  },
  evaluate: ({ value: entries, node }, instance, context, evaluated) =>
    everyMember(instance, context, (name, value) => {
      context.consume(entries.length);
      return context.every(entries, ({ pattern, schema }) => {
        const match = pattern.isReadable ? context.matches(pattern, name, node, 'patternProperties') : VALID;
        if (match === VALID) evaluated?.names.add(name);
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
