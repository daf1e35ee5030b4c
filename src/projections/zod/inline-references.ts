import { isObject, resolveLocalReference } from '../../json/index.js';

/** The schema that references lead into, and how many parts of it may still be told: references multiply. */
export interface Source {
  readonly root: unknown;
  left: number;
}

/** Ten times what any published server needs. */
export const mostParts = 20_000;
const mostDepth = 100;
const lettersOfPart = 80;

/** In a `$ref`: a place within what is written out, where that is told which is meant. */
export class Back {
  constructor(readonly location: string) {}
}

/** Whether a reference has remained in what was written out. */
export function leadsBack(value: unknown): boolean {
  if (value instanceof Back) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(leadsBack);
}

/**
 * A copy of a schema that needs nothing around it: local references are replaced by what they lead to, or by a
 * {@link Back} where that is told already. What is too much, or leads nowhere, becomes anything.
 */
export function writtenOut(schema: unknown, source: Source): unknown {
  return copied(schema, source, { location: '', depth: 0, told: new Map() });
}

type Keywords = Record<string, unknown>;

interface Place {
  readonly location: string;
  readonly depth: number;
  /** The locations of what references lead to. */
  readonly told: Map<string, string>;
}

function copied(schema: unknown, source: Source, at: Place): unknown {
  if (!isObject(schema)) return schema;
  if (source.left-- <= 0 || at.depth > mostDepth) return {};
  const own = parts(schema, source, at);
  return typeof schema['$ref'] === 'string' ? referred(schema['$ref'], own, source, at) : own;
}

/** What a reference leads to, in its place; in an `allOf` where more stands beside the reference. */
function referred($ref: string, own: Keywords, source: Source, at: Place): unknown {
  const told = at.told.get($ref);
  if (told !== undefined) return told === at.location ? own : { ...own, $ref: new Back(told) };

  const { allOf = [] } = own;
  const others = Array.isArray(allOf) ? allOf : [];
  const isAlone = Object.keys(own).length === 0;
  const place = isAlone ? at : inside(at, 'allOf', others.length);
  at.told.set($ref, place.location);
  const target = resolveLocalReference(source.root, $ref) ?? {};
  // Long texts and enumerations multiply as well.
  source.left -= Math.floor(JSON.stringify(target).length / lettersOfPart);
  const before = source.left;
  const found = copied(target, source, { ...place, depth: at.depth + 1 });
  const isShort = before - source.left <= fewParts;
  if (isShort) at.told.delete($ref);

  if (isAlone) return found;
  const isAnnotated = Object.keys(own).every((keyword) => annotations.has(keyword));
  const isFree = isAnnotated && isObject(found) && !leadsBack(found) && (isShort || at.location === '');
  return isFree ? { ...found, ...own } : { ...own, allOf: [...others, found] };
}

/** What has no more is told again rather than referred to: it is easier to read. */
const fewParts = 8;

/** Beside a reference they speak of the place, and change nothing of what it leads to. */
const annotations: ReadonlySet<string> = new Set([
  ...['$comment', 'default', 'deprecated', 'description', 'example', 'examples', 'readOnly', 'title', 'writeOnly'],
]);

/** Of no use where no reference is left. */
const forReferences: ReadonlySet<string> = new Set([
  ...[
    '$ref',
    '$defs',
    'definitions',
    '$id',
    '$anchor',
    '$dynamicAnchor',
    '$dynamicRef',
    '$recursiveAnchor',
    '$recursiveRef',
    '$schema',
  ],
]);

const values: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);
const named: ReadonlySet<string> = new Set(['dependencies', 'dependentSchemas', 'patternProperties', 'properties']);

function parts(schema: Keywords, source: Source, at: Place): Keywords {
  const kept = Object.entries(schema).filter(([keyword]) => !forReferences.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, part(keyword, value, source, at)]));
}

function part(keyword: string, value: unknown, source: Source, at: Place): unknown {
  if (values.has(keyword)) return structuredClone(value);
  if (Array.isArray(value)) return value.map((one: unknown, index) => copied(one, source, inside(at, keyword, index)));
  if (!isObject(value) || !named.has(keyword)) return copied(value, source, inside(at, keyword));
  const members = Object.entries(value).map(([name, one]) => [
    name,
    Array.isArray(one) ? [...one] : copied(one, source, inside(at, keyword, name)),
  ]);
  return Object.fromEntries(members);
}

function inside(at: Place, ...keys: (string | number)[]): Place {
  const tokens = keys.map(
    (key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')}`,
  );
  return { ...at, location: at.location + tokens.join(''), depth: at.depth + 1 };
}
