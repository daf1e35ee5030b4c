import {
  canonicalText,
  isObject,
  mapSubschemas,
  resolveLocalReference,
  startWork,
  walkSchemas,
  type Work,
  isList,
} from '../src/json/index.js';

/** What became of a schema on its way to the model. */
export type Fate = 'identical' | 'reordered' | 'annotations' | 'meaning' | 'lost';

/** A few dozen definitions can spell out more than fits into memory. */
const limits = { steps: 400_000, ms: 400 };

/**
 * What became of a schema. Whatever is too deep or too large to compare counts as changed, because nothing says that it
 * means the same.
 *
 * @param wire the schema as the server sent it
 * @param shown what the model would be given; undefined where the tool is not offered
 */
export function fateOf(wire: unknown, shown: unknown): Fate {
  if (shown === undefined) return 'lost';
  if (shown === wire) return 'identical';
  const work = startWork(limits);
  const canonical = (schema: unknown) => canonicalText(schema, (steps) => work.spend(steps));
  const [before, after] = [canonical(wire), canonical(shown)];
  if (before === undefined || after === undefined) return 'meaning';
  if (before === after) return JSON.stringify(shown) === JSON.stringify(wire) ? 'identical' : 'reordered';
  const [asked, askedNow] = [canonical(ofArguments(wire, work)), canonical(ofArguments(shown, work))];
  return asked !== undefined && asked === askedNow && !work.exhausted ? 'annotations' : 'meaning';
}

/** Arguments are an object in any case (MCP, tools/call), whether or not the root says so. */
function ofArguments(schema: unknown, work: Work): unknown {
  const asked = assertions(schema, { root: schema, work, path: [] });
  return isObject(asked) ? { type: 'object', ...asked } : asked;
}

const annotations: ReadonlySet<string> = new Set([
  ...['$schema', '$id', 'id', '$comment', 'title', 'description', 'default', 'examples', 'example', 'deprecated'],
  ...['readOnly', 'writeOnly', '$defs', 'definitions'],
]);

interface Place {
  readonly root: unknown;
  readonly work: Work;
  /** The schemas that references led to on the way here. */
  readonly path: readonly unknown[];
}

/**
 * What a schema asks of a value: without annotations, and with its local references put in place, so that a peer that
 * only inlines them is not said to have changed anything. A reference inside itself stays.
 */
function assertions(schema: unknown, at: Place): unknown {
  // A chain of references that is too long to follow is too large to compare.
  if (!isObject(schema) || !at.work.spend(at.path.length > maxPath ? Infinity : 1)) return schema;
  const { $ref } = schema;
  if (typeof $ref === 'string' && Object.keys(schema).every((key) => key === '$ref' || annotations.has(key))) {
    const target = resolveLocalReference(at.root, $ref);
    if (target !== undefined && !at.path.includes(target))
      return assertions(target, { ...at, path: [...at.path, target] });
  }
  const asked = Object.entries(schema).filter(
    ([keyword, value]) => !annotations.has(keyword) && !saysNothing(keyword, value),
  );
  const { required, ...others } = mapSubschemas(Object.fromEntries(asked), (part) => assertions(part, at));
  return isList(required) ? { ...others, required: [...required].sort() } : others;
}

const maxPath = 200;

/** `additionalProperties: true` and `required: []` are what holds without them. */
function saysNothing(keyword: string, value: unknown): boolean {
  if (keyword === 'additionalProperties') return value === true || (isObject(value) && Object.keys(value).length === 0);
  return keyword === 'required' && Array.isArray(value) && value.length === 0;
}

/** How often each keyword stands in a schema. */
export function keywordCounts(schema: unknown): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { schema: part } of walkSchemas(schema)) {
    for (const keyword of Object.keys(part)) counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
  }
  return counts;
}
