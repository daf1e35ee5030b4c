import { isObject } from '../../src/json/index.js';

/** Values that differ from each other in type, size or both. */
const replacements: readonly unknown[] = [null, true, 'mutated', '', 0, -1e9, 1e9, 0.5, [], [1, 'a'], {}, { odd: 1 }];

/**
 * Neighbours of a value, each different in one place: a member left out, added, or replaced.
 *
 * @param limit the most neighbours, spread over the whole value
 */
export function mutations(value: unknown, limit: number): unknown[] {
  const all = [...mutate(value, 0)];
  const every = Math.max(1, Math.ceil(all.length / limit));
  return all.filter((_, i) => i % every === 0);
}

function* mutate(value: unknown, depth: number): Generator {
  for (const replacement of replacements) yield replacement;
  if (depth > 4) return;
  if (Array.isArray(value)) {
    yield [...value, ...value];
    for (const [i, item] of value.entries()) {
      yield value.toSpliced(i, 1);
      for (const mutated of mutate(item, depth + 1)) yield value.with(i, mutated);
    }
  } else if (isObject(value)) {
    yield { ...value, unknownMember: 1 };
    for (const name of Object.keys(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
      for (const mutated of mutate(value[name], depth + 1)) yield { ...value, [name]: mutated };
    }
  }
}
