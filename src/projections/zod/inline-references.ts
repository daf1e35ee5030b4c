import { isList, isObject, mapSubschemas, resolveLocalReference } from '../../json/index.js';

/** The schema that references lead into, and how much of it may still be inlined: references multiply. */
interface Source {
  readonly root: unknown;
  left: number;
}

/** Ten times what any published server needs. */
export const mostParts = 20_000;
const mostDepth = 100;
const lettersOfPart = 80;
const elementsOfPart = 4;

/**
 * The schema without anything that it needs around it: local references are replaced by what they lead to. A recursive
 * schema ends where it begins again: there, as where a reference leads nowhere or too much is inlined, anything is
 * allowed. Values are shared with the original.
 */
export function inlineReferences(schema: unknown, source: Source): unknown {
  return inlined(schema, source, { depth: 0, followed: [] });
}

type Keywords = Readonly<Record<string, unknown>>;

interface Place {
  readonly depth: number;
  /** What references led to on the way here. */
  readonly followed: readonly unknown[];
}

function inlined(schema: unknown, source: Source, { depth, followed }: Place): unknown {
  if (!isObject(schema)) return schema;
  if (source.left <= 0 || depth > mostDepth) return {};
  source.left -= 1 + weightOf(schema);
  const kept = Object.entries(schema).filter(([keyword]) => !forReferences.has(keyword));
  const inner = { depth: depth + 1, followed };
  const own = mapSubschemas(Object.fromEntries(kept), (part) => inlined(part, source, inner));
  if (typeof schema['$ref'] !== 'string') return own;
  const target = resolveLocalReference(source.root, schema['$ref']);
  if (followed.includes(target)) return own;
  return beside(own, inlined(target ?? {}, source, { ...inner, followed: [...followed, target] }));
}

/** Long texts and enumerations multiply as well. */
function weightOf(schema: Keywords): number {
  const weights = Object.values(schema).map((value) =>
    typeof value === 'string' ? value.length / lettersOfPart : isList(value) ? value.length / elementsOfPart : 0,
  );
  return Math.floor(weights.reduce((sum, weight) => sum + weight, 0));
}

/** What a reference leads to, with what stands beside the reference; in an `allOf` where that asserts something. */
function beside(own: Keywords, target: unknown): unknown {
  if (isObject(target) && Object.keys(own).every((keyword) => annotations.has(keyword))) return { ...target, ...own };
  return Object.keys(own).length === 0
    ? target
    : { ...own, allOf: [...(isList(own['allOf']) ? own['allOf'] : []), target] };
}

/** Beside a reference they speak of the place, and change nothing of what it leads to. */
const annotations: ReadonlySet<string> = new Set([
  ...['$comment', 'default', 'deprecated', 'description', 'example', 'examples', 'readOnly', 'title', 'writeOnly'],
]);

/** Of no use where no reference is left. */
const forReferences: ReadonlySet<string> = new Set([
  ...['$ref', '$defs', 'definitions', '$id', '$schema', '$anchor'],
  ...['$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef'],
]);
