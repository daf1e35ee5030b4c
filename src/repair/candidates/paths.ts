import type { JsonObject } from '../../json/index.js';

/** `a.b`, `a[0].b`: a name, and what leads on from there. */
const pathForm = /^[^.[\]]+(?:\.[^.[\]]+|\[(?:0|[1-9]\d{0,3})\])+$/;

/** Characters of a name that is a path, and names and indexes of all paths together. */
const maxLength = 200;
const maxSteps = 50_000;

interface Leaf {
  readonly value: unknown;
}

/** By names, and by indexes in brackets. */
type Branch = Map<string, Branch | Leaf>;

/**
 * Whether a name is a path, by the names and the indexes, in brackets, that it is made of; undefined where that is not
 * clear, and nothing is put anywhere.
 */
type IsKnown = (path: string, steps: readonly string[]) => boolean | undefined;

/**
 * The object with its members where their names lead: `{"a[0].b": 1}` is `{"a": [{"b": 1}]}`. Undefined where no name is
 * a path, where two lead to one place, where a list would have gaps, and where there are too many to be put in place.
 */
export function unflattened(object: JsonObject, isKnown: IsKnown): JsonObject | undefined {
  const given: { steps: readonly string[]; value: unknown }[] = [];
  let length = 0;
  for (const [name, value] of Object.entries(object)) {
    const steps = stepsOf(name, isKnown);
    if (!steps) return undefined;
    length += steps.length;
    if (length > maxSteps) return undefined;
    given.push({ steps, value });
  }
  if (length === given.length) return undefined;
  const root: Branch = new Map();
  if (!given.every(({ steps, value }) => grow(root, steps, value))) return undefined;
  const members = [...root].map(([name, part]) => [name, valueOf(part)] as const);
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

function stepsOf(name: string, isKnown: IsKnown): readonly string[] | undefined {
  if (name.length > maxLength || !pathForm.test(name)) return [name];
  const steps = name.match(/[^.[\]]+|\[\d+\]/g) ?? [];
  const isPath = isKnown(name, steps);
  return isPath === undefined ? undefined : isPath ? steps : [name];
}

/** False where something else stands on the way or at its end. */
function grow(root: Branch, steps: readonly string[], value: unknown): boolean {
  let branch = root;
  for (const step of steps.slice(0, -1)) {
    const next = branch.get(step) ?? new Map<string, Branch | Leaf>();
    if (!(next instanceof Map)) return false;
    branch.set(step, next);
    branch = next;
  }
  const last = steps.at(-1) ?? '';
  if (branch.has(last)) return false;
  branch.set(last, { value });
  return true;
}

function valueOf(part: Branch | Leaf): unknown {
  if (!(part instanceof Map)) return part.value;
  const isList = part.has('[0]');
  const names = isList ? Array.from({ length: part.size }, (_, index) => `[${index}]`) : [...part.keys()];
  const values = names.map((name) => {
    const inner = part.get(name);
    return inner && isList === name.startsWith('[') ? valueOf(inner) : undefined;
  });
  if (values.includes(undefined)) return undefined;
  return isList ? values : Object.fromEntries(names.map((name, index) => [name, values[index]]));
}
