import { fc } from '../../test-support/fuzz.js';

export type Schema = boolean | { [keyword: string]: unknown };

const names = ['a', 'b', 'c', 'x-1', 'x_1', '__proto__', 'a/b~'];

/** Values as models send them: correct ones, and all that can be repaired. */
export const sent: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown; scalar: unknown }>((tie) => ({
  scalar: fc.constantFrom<unknown>(
    ...['0', '1', '2', '7', '-1', '007', '1.5', 'abc', '', 'true', 'null', '[1]', '["1"]', '{"a":"1"}', '{"b":[]}'],
    ...['six months', 'YEAR', '"Year"', '1, 2', 'None', '5.0', 0, 1, 2, 7, -1, 1.5, true, false, null],
  ),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: tie('scalar') },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 2,
      arbitrary: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    },
  ),
})).value;

/** Schemas over the same names and values, all structures and combinators mixed. */
export const schemas: fc.Arbitrary<Schema> = fc
  .letrec<{ schema: Schema; leaf: Schema }>((tie) => ({
    leaf: fc.constantFrom<Schema>(
      ...['integer', 'number', 'string', 'boolean', 'null', 'array', 'object'].map((type) => ({ type })),
      { type: 'integer', minimum: 1 },
      { type: ['integer', 'null'], minimum: 0 },
      { type: 'string', pattern: '^[1-9]\\d*$' },
      { enum: [1, 2, '7'] },
      { enum: ['six_months', 'Year', 'day'] },
      { type: 'array', items: { type: 'integer' } },
      { const: 7 },
      { maximum: 5 },
      { $ref: '#/$defs/int' },
      { $ref: '#/$defs/tree' },
      true,
      {},
    ),
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 6, arbitrary: tie('leaf') },
      { weight: 5, arbitrary: objectSchema(tie('schema')) },
      { weight: 2, arbitrary: arraySchema(tie('schema')) },
      { weight: 3, arbitrary: branchSchema(tie('schema')) },
      { weight: 1, arbitrary: fc.record({ if: tie('schema'), then: tie('schema'), else: tie('schema') }) },
      { weight: 1, arbitrary: fc.record({ not: tie('leaf') }) },
    ),
  }))
  .schema.map((schema) => ({
    $defs: {
      int: { type: 'integer', minimum: 1 },
      tree: {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'array', items: { $ref: '#/$defs/tree' } } },
      },
    },
    ...(schema === true ? {} : schema === false ? { not: {} } : schema),
  }));

function objectSchema(schema: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom(...names), schema, { maxKeys: 3, noNullPrototype: true }),
      patternProperties: fc.record({ '^x-': schema }),
      additionalProperties: schema,
      required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
      dependentSchemas: fc.record({ a: schema }),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
}

function arraySchema(schema: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.record(
    {
      type: fc.constant('array'),
      prefixItems: fc.array(schema, { minLength: 1, maxLength: 2 }),
      items: schema,
      contains: schema,
      uniqueItems: fc.constant(true),
      minItems: fc.constant(1),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
}

function branchSchema(schema: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc
    .tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), fc.array(schema, { minLength: 1, maxLength: 3 }))
    .map(([keyword, branches]) => ({ [keyword]: branches }));
}

/** A schema with arguments made for it, malformed values included, and sometimes with arbitrary arguments. */
export const calls: fc.Arbitrary<readonly [Schema, unknown]> = schemas.chain((schema) =>
  fc.tuple(
    fc.constant(schema),
    fc.oneof({ weight: 6, arbitrary: argumentsFor(schema, schema) }, { weight: 1, arbitrary: sent }),
  ),
);

function argumentsFor(schema: unknown, root: unknown, depth = 0): fc.Arbitrary<unknown> {
  if (typeof schema !== 'object' || schema === null || depth > 6) return sent;
  const parts = schema as { [keyword: string]: unknown };
  const inner = (part: unknown) => argumentsFor(part, root, depth + 1);
  const ways: fc.Arbitrary<unknown>[] = [];
  if (typeof parts['$ref'] === 'string')
    ways.push(inner((root as { $defs: Record<string, unknown> }).$defs[parts['$ref'].split('/')[2]!]));
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    if (Array.isArray(parts[keyword])) ways.push(...parts[keyword].map(inner));
  }
  for (const keyword of ['then', 'else', 'if']) if (keyword in parts) ways.push(inner(parts[keyword]));
  const { type } = parts;
  if (type === 'object' || 'properties' in parts) ways.push(membersFor(parts, inner));
  else if (type === 'array' || 'items' in parts || 'prefixItems' in parts) ways.push(itemsFor(parts, inner));
  else if (type !== undefined || 'enum' in parts || 'const' in parts) ways.push(malformedFor(parts));
  return ways.length > 0 ? fc.oneof(...ways) : sent;
}

function membersFor(schema: { [keyword: string]: unknown }, inner: (part: unknown) => fc.Arbitrary<unknown>) {
  const members: Record<string, fc.Arbitrary<unknown>> = Object.create(null);
  const properties = (schema['properties'] ?? {}) as Record<string, unknown>;
  for (const name of new Set([...Object.keys(properties), ...((schema['required'] ?? []) as string[])])) {
    const described = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties'];
    members[name] = inner(described);
  }
  if ('patternProperties' in schema) members['x-1'] ??= inner(Object.values(schema['patternProperties'] as object)[0]);
  const whole = fc.record(members, { requiredKeys: Object.keys(members) });
  const misspelled = (args: object) =>
    Object.fromEntries(Object.entries(args).map(([name, value]): [string, unknown] => [name.toUpperCase(), value]));
  return fc.oneof(
    { weight: 4, arbitrary: whole },
    { weight: 1, arbitrary: fc.record(members, { requiredKeys: [] }) },
    { weight: 1, arbitrary: whole.map(misspelled) },
    { weight: 1, arbitrary: whole.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: whole.map((args) => ({ args })) },
  );
}

function itemsFor(schema: { [keyword: string]: unknown }, inner: (part: unknown) => fc.Arbitrary<unknown>) {
  const first = ((schema['prefixItems'] ?? []) as unknown[]).map(inner);
  const others = fc.array(inner(schema['items'] ?? schema['contains']), { maxLength: 3 });
  const whole = fc.tuple(fc.tuple(...first), others).map((parts) => parts.flat());
  return fc.oneof(
    { weight: 4, arbitrary: whole },
    { weight: 1, arbitrary: inner(schema['items'] ?? schema['contains']) },
  );
}

function malformedFor({ type, enum: values, const: constant }: { [keyword: string]: unknown }): fc.Arbitrary<unknown> {
  const right: Record<string, unknown[]> = {
    integer: [1, '1', '2', '7', '-1'],
    number: [1.5, '1.5', '2'],
    boolean: [true, 'true'],
    string: ['1', '7', 'abc', 7, 1.5, ['abc']],
    null: [null],
  };
  const listed = Array.isArray(values) ? (values as unknown[]) : constant === undefined ? [] : [constant];
  const typed = [type].flat().flatMap((name) => right[String(name)] ?? []);
  const spelled = listed.map((each) => String(each).toUpperCase().replace('_', ' '));
  return fc.constantFrom<unknown>(...listed, ...spelled, ...typed, null);
}
