import { isObject, mapSubschemas, pointerToken, resolveLocalReference, isList, listOf } from '../../json/index.js';

/** The schema that references lead into, and how many parts of it may still be inlined: references multiply. */
interface Source {
  readonly root: unknown;
  left: number;
}

/** Ten times what any published server needs. */
export const mostParts = 20_000;
const mostDepth = 100;

/** In a `$ref`: a place within what was inlined, where that stands which is meant. */
class RecursiveReference {
  constructor(readonly location: string) {}
}

/**
 * The schema without anything that it needs around it: local references are replaced by what they lead to, or by a
 * {@link RecursiveReference} within that. What is too much, or leads nowhere, becomes anything. Values are shared with
 * the original.
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
  /** Where that stands which references lead to: by what it is, since a reference can be written in many ways. */
  readonly standing: Map<unknown, string>;
}

function inlined(schema: unknown, inlining: Inlining, at: Place): unknown {
  if (!isObject(schema)) return schema;
  const { source } = inlining;
  if (source.left <= 0 || at.depth > mostDepth) return {};
  source.left -= 1 + weightOf(schema);
  inlining.parts++;
  const kept = Object.entries(schema).filter(([keyword]) => !forReferences.has(keyword));
  const own = mapSubschemas(Object.fromEntries(kept), (part, _keyword, path) =>
    inlined(part, inlining, inside(at, path)),
  );
  return typeof schema['$ref'] === 'string' ? referred(schema['$ref'], own, inlining, at) : own;
}

/** Long texts and enumerations multiply as well: 80 letters, or 4 elements, count as a part. */
function weightOf(schema: Keywords): number {
  const weights = Object.values(schema).map((value) =>
    typeof value === 'string' ? value.length / 80 : isList(value) ? value.length / 4 : 0,
  );
  return Math.floor(weights.reduce((sum, weight) => sum + weight, 0));
}

/** What a reference leads to, in its place; in an `allOf` where more stands beside the reference. */
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

/** What has no more parts is repeated rather than referred to: it is easier to read. */
const fewParts = 8;

/** Beside a reference they speak of the place, and change nothing of what it leads to. */
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
 * A copy, since hosts write into what they are given. What leads back leads to where the copy stands.
 *
 * @param place a JSON Pointer (`#...`) to it; where there is none, what leads back is left out
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
