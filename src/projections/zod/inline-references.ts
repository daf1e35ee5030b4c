import { filtered, isObject, listOf, mapSubschemas, pointerToken, resolveLocalReference } from '../../json/index.js';

/** The schema that references point into, and the number of parts that may still be inlined: references multiply. */
interface Source {
  readonly root: unknown;
  left: number;
}

/** Ten times the parts of any published schema. */
export const mostParts = 20_000;
const mostDepth = 100;

/** Stands in for a `$ref` that points back into the inlined schema. `location` is the target. */
class RecursiveReference {
  constructor(readonly location: string) {}
}

/**
 * The schema without references to its surroundings: each local reference is replaced by its target, or by a {@link
 * RecursiveReference} to a place inside it. Parts beyond the limit, and targets that do not exist, become anything.
 * Values are shared with the original.
 */
export function inlineReferences(schema: unknown, source: Source): { schema: unknown; isRecursive: boolean } {
  const inlining = { source, parts: 0, recursive: 0 };
  const result = inlined(schema, inlining, { location: '', depth: 0, standing: new Map() });
  return { schema: result, isRecursive: inlining.recursive > 0 };
}

type Keywords = Readonly<Record<string, unknown>>;

interface Inlining {
  readonly source: Source;
  parts: number;
  recursive: number;
}

interface Place {
  readonly location: string;
  readonly depth: number;
  /** The locations of inlined targets, by identity, since a reference can be written in many ways. */
  readonly standing: Map<unknown, string>;
}

function inlined(schema: unknown, inlining: Inlining, at: Place): unknown {
  if (!isObject(schema)) return schema;
  const { source } = inlining;
  if (source.left <= 0 || at.depth > mostDepth) return {};
  source.left -= 1 + weightOf(schema);
  inlining.parts++;
  const kept = filtered(schema, (keyword) => !forReferences.has(keyword));
  const own = mapSubschemas(kept, (part, _keyword, path) => inlined(part, inlining, inside(at, path)));
  return typeof schema['$ref'] === 'string' ? referred(schema['$ref'], own, inlining, at) : own;
}

/** Long texts and enumerations multiply as well: 80 letters, or 4 elements, count as a part. */
function weightOf(schema: Keywords): number {
  const weight = (value: unknown) => (typeof value === 'string' ? value.length / 80 : listOf(value).length / 4);
  return Math.floor(Object.values(schema).reduce<number>((sum, value) => sum + weight(value), 0));
}

/** A reference's target in its place; inside an `allOf` if the reference has other keywords beside it. */
function referred($ref: string, own: Keywords, inlining: Inlining, at: Place): unknown {
  const target = resolveLocalReference(inlining.source.root, $ref) ?? {};
  const standing = at.standing.get(target);
  if (standing === at.location) return own;
  if (standing !== undefined) {
    inlining.recursive++;
    return { ...own, $ref: new RecursiveReference(standing) };
  }
  const others = listOf(own['allOf']);
  const isAlone = Object.keys(own).length === 0;
  const place = isAlone ? at : inside(at, ['allOf', others.length]);
  if (isObject(target)) at.standing.set(target, place.location);
  const { parts, recursive } = inlining;
  const found = inlined(target, inlining, { ...place, depth: at.depth + 1 });
  const isShort = inlining.parts - parts <= fewParts;
  if (isShort) at.standing.delete(target);

  if (isAlone) return found;
  const isAnnotated = Object.keys(own).every((keyword) => annotations.has(keyword));
  const isPlain = isAnnotated && isObject(found) && inlining.recursive === recursive;
  return isPlain && (isShort || at.location === '') ? { ...found, ...own } : { ...own, allOf: [...others, found] };
}

/** Up to this many parts, a target is repeated rather than referred to, which is easier to read. */
const fewParts = 8;

/** Beside a reference, these describe the place, and change nothing in the target. */
const annotations: ReadonlySet<string> = new Set([
  ...['$comment', 'default', 'deprecated', 'description', 'example', 'examples', 'readOnly', 'title', 'writeOnly'],
]);

const forReferences: ReadonlySet<string> = new Set([
  ...['$ref', '$defs', 'definitions', '$id', '$anchor', '$dynamicAnchor', '$dynamicRef'],
  ...['$recursiveAnchor', '$recursiveRef', '$schema'],
]);

/** Hosts decode what they read in a pointer. */
function inside(at: Place, path: readonly (string | number)[]): Place {
  const tokens = path.map((token) => `/${pointerToken(token).replaceAll('%', '%25')}`);
  return { ...at, location: at.location + tokens.join(''), depth: at.depth + 1 };
}

/**
 * A copy, since hosts modify their schemas. Recursive references are rewritten to point into the copy.
 *
 * @param place a JSON Pointer (`#...`) to the copy; without one, recursive references are left out
 */
export function toJson(value: unknown, place: () => string | undefined): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => toJson(element, place));
  if (value instanceof RecursiveReference) {
    const start = place();
    return start === undefined ? undefined : start + value.location;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, toJson(member, place)]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
