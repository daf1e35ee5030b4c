import { isObject, pointerToken, pointerTokens, type JsonObject } from '../json/index.js';
import { alsoTakingStrings, asksForIntegers, integerFinder, maxDepth } from './integer-positions.js';
import { subschemasOf } from './subschemas.js';

/**
 * A copy of a schema for hosts that insist on validating before the repair gets a say: wherever an integer is asked
 * for, the string of its decimal form is accepted, too. Null and everything else are accepted as before.
 *
 * What the original accepts, the copy accepts. To keep that promise where accepting more in one place would mean
 * accepting less in another, `oneOf` becomes `anyOf`, `then` and `else` become alternatives, and a `not` or a
 * `maxContains` is left out, each only where an integer is involved. References are pointed to where their targets
 * have moved. A string stays refused where another part of the schema speaks against it, such as `not` or `number`. A
 * schema without integers is returned as it is. The copy is for the host's eyes only and never validates in the
 * original's stead.
 *
 * ```ts
 * const permissive = compileSchema(permissiveSchema({ properties: { limit: { type: 'integer' } } }));
 * evaluate(permissive, { limit: '10' }); // => { outcome: 'valid' }
 * ```
 */
export function permissiveSchema(schema: unknown): unknown {
  if (!integerFinder(false)(schema)) return schema;
  return copySchema(schema, { root: schema, involvesIntegers: integerFinder(true), copies: new Map() }, 0);
}

interface Copying {
  readonly root: unknown;
  readonly involvesIntegers: (part: unknown) => boolean;
  /** Copies by original: schemas may share parts and, once dereferenced, even hold themselves. */
  readonly copies: Map<object, unknown>;
}

function copySchema(schema: unknown, copying: Copying, depth: number): unknown {
  if (!isObject(schema) || depth > maxDepth) return schema;
  const known = copying.copies.get(schema);
  if (known !== undefined) return known;
  const copy: Record<string, unknown> = {};
  copying.copies.set(schema, copy);
  const source = asksForIntegers(schema) ? alsoTakingStrings(schema) : schema;
  for (const [key, value] of Object.entries(source)) {
    if (isLeftOut(key, schema, copying)) continue;
    const place = placeOf(key, schema, copying);
    if (place.length === 1) define(copy, key, copyKeyword(key, value, copying, depth));
  }
  addAlternatives(copy, schema, copying, depth);
  return copy;
}

function copyKeyword(key: string, value: unknown, copying: Copying, depth: number): unknown {
  if (key === '$ref') return typeof value === 'string' ? followMoves(value, copying) : value;
  switch (subschemasOf(key, value)) {
    case 'schema':
      return copySchema(value, copying, depth + 1);
    case 'list':
      return (value as readonly unknown[]).map((sub) => copySchema(sub, copying, depth + 1));
    case 'map': {
      const copy = {};
      for (const [name, sub] of Object.entries(value as JsonObject))
        define(copy, name, copySchema(sub, copying, depth + 1));
      return copy;
    }
    default:
      return value;
  }
}

/** Where a schema counts against a value, accepting more there would mean accepting less here. */
function isLeftOut(key: string, schema: JsonObject, copying: Copying): boolean {
  if (key === 'not') return copying.involvesIntegers(schema['not']);
  return key === 'maxContains' && copying.involvesIntegers(schema['contains']);
}

/** Where a keyword's value stands in the copy: alternatives that were exclusive stand under `anyOf`. */
function placeOf(key: string, schema: JsonObject, copying: Copying): string[] {
  const others = Array.isArray(schema['allOf']) ? schema['allOf'].length : 0;
  if (key === 'oneOf' && isMovedOneOf(schema, copying)) return ['allOf', String(others), 'anyOf'];
  if ((key === 'then' || key === 'else') && copying.involvesIntegers(schema['if'])) {
    const index = others + (isMovedOneOf(schema, copying) ? 1 : 0);
    return ['allOf', String(index), 'anyOf', key === 'then' ? '0' : '1'];
  }
  return [key];
}

function isMovedOneOf(schema: JsonObject, copying: Copying): boolean {
  return Array.isArray(schema['oneOf']) && copying.involvesIntegers(schema['oneOf']);
}

function addAlternatives(copy: Record<string, unknown>, schema: JsonObject, copying: Copying, depth: number): void {
  const added: unknown[] = [];
  if (isMovedOneOf(schema, copying)) added.push({ anyOf: copyKeyword('oneOf', schema['oneOf'], copying, depth) });
  if (copying.involvesIntegers(schema['if'])) {
    // Either outcome of the condition may be the right one.
    added.push({
      anyOf: [schema['then'] ?? true, schema['else'] ?? true].map((sub) => copySchema(sub, copying, depth + 1)),
    });
  }
  if (added.length > 0) copy['allOf'] = [...(Array.isArray(copy['allOf']) ? copy['allOf'] : []), ...added];
}

/** A local reference, pointed to where its target stands in the copy. */
function followMoves(reference: string, copying: Copying): string {
  if (!reference.startsWith('#/')) return reference;
  const path: string[] = [];
  let at: unknown = copying.root;
  for (const token of pointerTokens(fragmentOf(reference))) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, token)) return reference;
    path.push(...(isObject(at) ? placeOf(token, at, copying) : [token]));
    at = (at as JsonObject)[token];
  }
  return path.length === reference.split('/').length - 1
    ? reference
    : `#/${path.map((token) => encodeURIComponent(pointerToken(token))).join('/')}`;
}

function fragmentOf(reference: string): string {
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return reference.slice(1);
  }
}

/** Defines rather than assigns: an assignment to __proto__ would set the prototype. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
