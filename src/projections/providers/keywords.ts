/** The type that each keyword constrains. Keywords that are not named here apply to every type. */
export const typeOfKeyword: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: 'minLength maxLength pattern format contentEncoding contentMediaType contentSchema',
    number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
    array: 'items prefixItems contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems',
    object:
      'properties patternProperties additionalProperties propertyNames required minProperties maxProperties dependentRequired dependentSchemas dependencies unevaluatedProperties',
  }).flatMap(([type, keywords]) => keywords.split(' ').map((keyword) => [keyword, type] as const)),
);

/** True if a keyword constrains values of these types. */
export function concerns(keyword: string, types: readonly unknown[]): boolean {
  const type = typeOfKeyword.get(keyword);
  return type === undefined || types.includes(type) || (type === 'number' && types.includes('integer'));
}
