import { isObject, subschemasIn } from '../../json/index.js';
import { oneLine } from '../terminal/text.js';

export interface Part {
  label: string;
  schema: unknown;
  required: boolean;
}

/** What the parts under a keyword are about, by their name or index; in reading order. */
const labels: Readonly<Record<string, (step: string) => string>> = {
  properties: (name) => name,
  patternProperties: (pattern) => `/${pattern}/`,
  additionalProperties: () => '(any other)',
  unevaluatedProperties: () => '(any other)',
  propertyNames: () => '(names)',
  dependentSchemas: (name) => `(with ${name})`,
  dependencies: (name) => `(with ${name})`,
  prefixItems: (index) => `[${index}]`,
  items: (index) => (index === '' ? '[each]' : `[${index}]`),
  additionalItems: () => '[others]',
  unevaluatedItems: () => '[others]',
  contains: () => '[some]',
  allOf: (index) => `(all of, ${Number(index) + 1})`,
  anyOf: (index) => `(any of, ${Number(index) + 1})`,
  oneOf: (index) => `(one of, ${Number(index) + 1})`,
  if: () => '(if)',
  then: () => '(then)',
  else: () => '(else)',
  not: () => '(not)',
  contentSchema: () => '(content)',
};

const order = Object.keys(labels);

/** The subschemas of a schema in reading order, each with what it is about. Definitions are shown where they are used. */
export function partsOf(schema: unknown): Part[] {
  if (!isObject(schema)) return [];
  const required = new Set<unknown>(Array.isArray(schema['required']) ? schema['required'] : []);
  const isTuple = 'prefixItems' in schema;
  return [...subschemasIn(schema)]
    .filter(({ keyword, path, schema: part }) => order.includes(keyword) && (path.length > 1 || isObject(part)))
    .sort((one, other) => order.indexOf(one.keyword) - order.indexOf(other.keyword))
    .map(({ keyword, path: [, step = ''], schema: part }) => ({
      label:
        keyword === 'items' && isTuple && step === '' ? '[others]' : oneLine(labels[keyword]?.(String(step)) ?? ''),
      schema: part,
      required: keyword === 'properties' && required.has(step),
    }));
}
