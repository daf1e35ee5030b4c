import {
  canonicalText,
  filtered,
  isObject,
  isSchema,
  jsonText,
  listOf,
  propertiesOf,
  requiredOf,
  resolveLocalReference,
  shortened,
  type JsonObject,
  type WorkBudget,
} from '../../json/index.js';

/**
 * The schema with only plain object keywords at its root: alternatives and references are merged, and lost constraints
 * are put in the description. Accepts every object that the schema accepts, so a parameter that one alternative does
 * not mention takes anything. Its parts may move, because references point only to definitions.
 */
export function plainRoot(schema: JsonObject, refused: readonly string[], budget: WorkBudget): JsonObject {
  const isPlain = !refused.some((keyword) => keyword in schema);
  if (isPlain && schema['type'] === 'object') return schema;
  if (isPlain && !('$ref' in schema)) return { ...schema, type: 'object' };
  const at: Shaping = { root: schema, refused, budget, path: [] };
  const { properties, others, required, keywords, choices } = shapeOf(schema, at) ?? anyObject;
  const description = described(keywords['description'], choices);
  return {
    ...filtered(schema, (keyword) => ofDocument.has(keyword)),
    ...keywords,
    ...(description !== '' && { description }),
    type: 'object',
    ...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
    ...(others !== undefined && { additionalProperties: others }),
    ...(required.size > 0 && { required: [...required] }),
  };
}

const ofDocument: ReadonlySet<string> = new Set(['$schema', '$id', 'id', '$comment', '$defs', 'definitions']);

interface Shape {
  readonly properties: ReadonlyMap<string, unknown>;
  /** The schema of all other properties; undefined if they may be anything. */
  readonly others: unknown;
  readonly required: ReadonlySet<string>;
  readonly keywords: JsonObject;
  /** The sets of names that alternatives require. */
  readonly choices: readonly (readonly string[])[];
}

interface Shaping {
  readonly root: JsonObject;
  readonly refused: readonly string[];
  readonly budget: WorkBudget;
  /** The schemas on the way here: one within itself adds nothing. */
  readonly path: readonly unknown[];
}

const anyObject: Shape = { properties: new Map(), others: undefined, required: new Set(), keywords: {}, choices: [] };

const maxNesting = 32;

/** A shape takes about so many microseconds to make. */
const shapeSteps = 12;

function shapeOf(schema: unknown, at: Shaping): Shape | undefined {
  if (schema === false) return undefined;
  if (!isObject(schema) || at.path.length > maxNesting || at.path.includes(schema) || !at.budget.consume(shapeSteps))
    return anyObject;
  const inner = { ...at, path: [...at.path, schema] };
  const { $ref, allOf, anyOf, oneOf } = schema;
  const target = typeof $ref === 'string' ? shapeOf(resolveLocalReference(at.root, $ref), inner) : anyObject;
  if ('type' in schema && ![schema['type']].flat().includes('object')) return undefined;
  const parts = [
    ownShape(schema, at),
    target,
    ...listOf(allOf).map((part) => shapeOf(part, inner)),
    ...[listOf(anyOf), listOf(oneOf)].flatMap((branches) => {
      const shapes = branches.map((branch) => shapeOf(branch, inner));
      return shapes.length > 0 ? [joined(shapes, at)] : [];
    }),
  ];
  return parts.reduce((all, part) => all && part && both(all, part, at));
}

function ownShape(schema: JsonObject, at: Shaping): Shape {
  const { patternProperties, additionalProperties } = schema;
  const properties = Object.entries(propertiesOf(schema));
  return {
    properties: new Map(properties.map(([name, part]) => [name, isSchema(part) ? part : true])),
    // Patterns are not kept, so the properties that they name may be anything.
    others:
      isSchema(additionalProperties) && additionalProperties !== true && patternProperties === undefined
        ? additionalProperties
        : undefined,
    required: new Set(requiredOf(schema)),
    keywords: keywordsOf(schema, at),
    choices: [],
  };
}

const ofShapes: ReadonlySet<string> = new Set([
  ...ofDocument,
  ...['type', 'properties', 'patternProperties', 'additionalProperties', 'required', 'unevaluatedProperties'],
  ...['$ref', 'allOf', 'anyOf', 'oneOf', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$dynamicRef'],
  '$recursiveRef',
]);

/** `then` and `else` only mean something beside their `if`. */
function keywordsOf(schema: JsonObject, at: Shaping): JsonObject {
  const isKept = (keyword: string) =>
    !ofShapes.has(keyword) && !at.refused.includes(keyword) && ('if' in schema || !['then', 'else'].includes(keyword));
  return filtered(schema, isKept);
}

/** The intersection of both shapes; if that takes too much work, the first shape, which accepts no less. */
function both(left: Shape, right: Shape, { budget }: Shaping): Shape {
  if (!budget.consume(sizeOf(left) + sizeOf(right))) return left;
  const properties = new Map(left.properties);
  for (const [name, schema] of right.properties)
    properties.set(name, properties.has(name) ? bothSchemas(properties.get(name), schema, budget) : schema);
  const conditional = 'if' in left.keywords ? ['if', 'then', 'else'] : [];
  const further = Object.entries(right.keywords).filter(([keyword]) => !conditional.includes(keyword));
  return {
    properties,
    others: bothSchemas(left.others, right.others, budget),
    required: new Set([...left.required, ...right.required]),
    keywords: { ...Object.fromEntries(further), ...left.keywords },
    choices: [...left.choices, ...right.choices],
  };
}

function sizeOf({ properties, required, keywords, choices }: Shape): number {
  return properties.size + required.size + Object.keys(keywords).length + choices.length;
}

function bothSchemas(left: unknown, right: unknown, budget: WorkBudget): unknown {
  if (saysNothing(left)) return right;
  if (saysNothing(right) || left === false) return left;
  if (right === false) return false;
  const [only, other] = distinct([left, right], budget);
  if (other === undefined) return only;
  const isAddable = isObject(left) && isObject(right) && !('$ref' in left) && !('anyOf' in left);
  return isAddable && Object.keys(right).join() === 'anyOf' ? { ...left, ...right } : { allOf: [left, right] };
}

function saysNothing(schema: unknown): boolean {
  return schema === undefined || schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

function joined(branches: readonly (Shape | undefined)[], { budget }: Shaping): Shape | undefined {
  const [first, ...more] = branches.filter((branch) => branch !== undefined);
  if (first === undefined || more.length === 0) return first;
  const all = [first, ...more];
  const named = new Map<string, { parts: unknown[]; openBranches: number }>();
  const requiredBy = new Map<string, number>();
  for (const { properties, others, required } of all) {
    if (!budget.consume(1 + properties.size + required.size)) break;
    for (const [name, part] of properties) {
      const known = named.get(name) ?? { parts: [], openBranches: 0 };
      known.parts.push(part);
      if (others !== false) known.openBranches++;
      named.set(name, known);
    }
    for (const name of required) requiredBy.set(name, (requiredBy.get(name) ?? 0) + 1);
  }
  const rest = all.map(({ others }) => others);
  const open = rest.filter((others) => others !== false).length;
  const isClosed = rest.every((schema) => schema !== undefined);
  return {
    properties: new Map(
      [...named].map(([name, { parts, openBranches }]) => [name, eitherSchema(parts, openBranches === open, budget)]),
    ),
    others: isClosed ? eitherSchema(rest, true, budget) : undefined,
    required: new Set([...requiredBy].filter(([, count]) => count === all.length).map(([name]) => name)),
    keywords: {},
    choices: all.map(({ required }) => [...required]),
  };
}

/** @param isAll whether there is no alternative that takes anything */
function eitherSchema(schemas: readonly unknown[], isAll: boolean, budget: WorkBudget): unknown {
  const possible = schemas.filter((schema) => schema !== false);
  const ways = distinct(possible, budget);
  const [only, other] = ways;
  if (only === undefined) return isAll ? false : true;
  if (isAll) return other === undefined ? only : { anyOf: ways };
  return { anyOf: [...ways.filter((way) => !saysNothing(way)), {}] };
}

/** Equal ones once; those that nest too deeply are equal to themselves alone. */
function distinct(schemas: readonly unknown[], budget: WorkBudget): unknown[] {
  const byText = new Map<unknown, unknown>();
  for (const schema of new Set(schemas))
    byText.set(canonicalText(schema, (steps) => budget.consume(steps)) ?? schema, schema);
  return [...byText.values()];
}

function described(description: unknown, choices: readonly (readonly string[])[]): string {
  const named = choices.filter((names) => names.length > 0);
  const sets = new Set(named.map((names) => names.map((name) => jsonText(name)).join(' and ')));
  const text = typeof description === 'string' && description !== '' ? [description] : [];
  if (sets.size > 1) text.push(`Give one of these sets of parameters: ${shortened([...sets].join('; '), 1000)}.`);
  return text.join('\n') || (choices.length > 0 ? `One of ${choices.length} alternatives.` : '');
}
