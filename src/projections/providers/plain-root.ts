import {
  canonicalText,
  isObject,
  isSchema,
  jsonText,
  resolveLocalReference,
  shortened,
  type JsonObject,
  type WorkBudget,
} from '../../json/index.js';
import { compileSchema } from '../../schema/index.js';
import { carried, portability } from './portable.js';

/**
 * The schema with nothing but plain keywords of an object at its root: alternatives and references are joined, and what
 * can no longer be said stands in the description. Accepts every object that the schema accepts; so a parameter that one
 * alternative does not speak of takes anything.
 *
 * @param refused keywords that must not stand at the root
 */
export function plainRoot(schema: JsonObject, refused: readonly string[], budget: WorkBudget): JsonObject {
  const at: Shaping = {
    root: schema,
    refused,
    hidesSiblings: ['draft-04', 'draft-06', 'draft-07'].includes(compileSchema(schema).dialect),
    budget,
    path: [],
    isPortable: portability(schema, budget),
  };
  const isPlain = !('$ref' in schema) && !refused.some((keyword) => keyword in schema);
  if (isPlain && at.isPortable({ ...schema, $id: undefined, id: undefined })) return { ...schema, type: 'object' };
  const { properties, others, required, keywords, choices } = shapeOf(schema, at) ?? anyObject;
  const description = described(keywords['description'], choices);
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => ofDocument.has(keyword))),
    ...keywords,
    ...(description !== '' && { description }),
    type: 'object',
    ...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
    ...(others !== undefined && { additionalProperties: others }),
    ...(required.size > 0 && { required: [...required] }),
  };
}

/** What these say holds for the document, not for the object. */
const ofDocument: ReadonlySet<string> = new Set(['$schema', '$id', 'id', '$comment', '$defs', 'definitions']);

/** What holds for every object that a schema accepts. */
interface Shape {
  readonly properties: ReadonlyMap<string, unknown>;
  /** What other properties have to be; undefined where they may be anything. */
  readonly others: unknown;
  readonly required: ReadonlySet<string>;
  /** What depends on no other keyword. */
  readonly keywords: JsonObject;
  /** The sets of names that alternatives require. */
  readonly choices: readonly (readonly string[])[];
}

interface Shaping {
  readonly root: JsonObject;
  readonly refused: readonly string[];
  /** Whether `$ref` hides what stands beside it (draft-07 and before). */
  readonly hidesSiblings: boolean;
  readonly budget: WorkBudget;
  /** The schemas on the way here: one within itself adds nothing. */
  readonly path: readonly unknown[];
  readonly isPortable: (part: JsonObject) => boolean;
}

const anyObject: Shape = { properties: new Map(), others: undefined, required: new Set(), keywords: {}, choices: [] };

const maxNesting = 32;

/** Undefined where no object is accepted. */
function shapeOf(schema: unknown, at: Shaping): Shape | undefined {
  if (schema === false) return undefined;
  if (!isObject(schema) || at.path.length > maxNesting || at.path.includes(schema) || !at.budget.consume())
    return anyObject;
  // References within are relative to another document.
  if (at.path.length > 0 && (typeof schema['$id'] === 'string' || typeof schema['id'] === 'string')) return anyObject;
  const inner = { ...at, path: [...at.path, schema] };
  const { $ref, allOf, anyOf, oneOf } = schema;
  const target = typeof $ref === 'string' ? shapeOf(resolveLocalReference(at.root, $ref), inner) : anyObject;
  if (typeof $ref === 'string' && at.hidesSiblings) return target;
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
  const { properties, patternProperties, additionalProperties, required } = schema;
  return {
    properties: new Map(membersOf(properties).map(([name, part]) => [name, carried(part, at.isPortable)])),
    // Patterns are not kept, so that what they name may be anything.
    others:
      isSchema(additionalProperties) && additionalProperties !== true && patternProperties === undefined
        ? carried(additionalProperties, at.isPortable)
        : undefined,
    required: new Set(listOf(required).filter((name) => typeof name === 'string')),
    keywords: keywordsOf(schema, at),
    choices: [],
  };
}

function membersOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value).map(([name, part]) => [name, isSchema(part) ? part : true]) : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
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
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => isKept(keyword)));
  if (at.isPortable(kept)) return kept;
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => typeof value !== 'object'));
}

/** What both shapes say; where that is too much work, what the first says: it accepts no less. */
function both(left: Shape, right: Shape, { budget }: Shaping): Shape {
  if (!budget.consume(sizeOf(left) + sizeOf(right))) return left;
  const conditional = 'if' in left.keywords ? ['if', 'then', 'else'] : [];
  const further = Object.entries(right.keywords).filter(([keyword]) => !conditional.includes(keyword));
  const properties = new Map(left.properties);
  for (const [name, part] of right.properties) properties.set(name, bothSchemas(properties.get(name), part, budget));
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

/** What holds whichever of the alternatives is taken; a parameter that one does not speak of takes what that one takes. */
function joined(branches: readonly (Shape | undefined)[], { budget }: Shaping): Shape | undefined {
  const all = branches.filter((branch) => branch !== undefined);
  const [first, ...others] = all;
  if (first === undefined || others.length === 0) return first;
  if (!budget.consume(all.reduce((sum, branch) => sum + sizeOf(branch), 0))) return anyObject;
  const names = new Set(all.flatMap(({ properties }) => [...properties.keys()]));
  if (!budget.consume(names.size * all.length)) return anyObject;
  const partsOf = (name: string) => all.map((branch) => branch.properties.get(name) ?? branch.others !== false);
  const isClosed = all.every((branch) => branch.others !== undefined);
  return {
    properties: new Map([...names].map((name) => [name, eitherSchema(partsOf(name), budget)])),
    others: isClosed
      ? eitherSchema(
          all.map((branch) => branch.others),
          budget,
        )
      : undefined,
    required: new Set([...first.required].filter((name) => others.every(({ required }) => required.has(name)))),
    keywords: {},
    choices: all.map(({ required }) => [...required]),
  };
}

function eitherSchema(schemas: readonly unknown[], budget: WorkBudget): unknown {
  const ways = distinct(
    schemas.filter((schema) => schema !== false),
    budget,
  );
  const [only = false, other] = ways;
  if (other === undefined) return saysNothing(only) ? {} : only;
  const narrow = ways.filter((way) => !saysNothing(way));
  return { anyOf: narrow.length < ways.length ? [...narrow, {}] : ways };
}

/** Equal ones once; those that nest too deeply are equal to themselves alone. */
function distinct(schemas: readonly unknown[], budget: WorkBudget): unknown[] {
  const byText = new Map<unknown, unknown>();
  for (const schema of new Set(schemas)) {
    byText.set(canonicalText(schema, (steps) => budget.consume(steps)) ?? schema, schema);
  }
  return [...byText.values()];
}

/** Describes for the model what the joined object no longer says. */
function described(description: unknown, choices: readonly (readonly string[])[]): string {
  const sets = new Set(
    choices.map((names) => names.map((name) => jsonText(name)).join(' and ')).filter((names) => names !== ''),
  );
  const text = typeof description === 'string' && description !== '' ? [description] : [];
  if (sets.size > 1) text.push(`Give one of these sets of parameters: ${shortened([...sets].join('; '), 1000)}.`);
  return text.join('\n') || (choices.length > 0 ? `One of ${choices.length} alternatives.` : '');
}
