import { isList, isObject, typeOf } from '../../src/json/index.js';
import type { Chance } from './chance.js';

type Path = readonly (string | number)[];

/** A mistake of models in a call; undefined if these arguments have no place for it. */
type Break = (args: unknown, chance: Chance) => unknown;

/** By name: a value's type, size or content; an object's names; a list's items. */
export const breaks: Readonly<Record<string, Break>> = {
  'another type': atPlace((value, chance) => chance.of(otherTypes(value))),
  'null for a value': atPlace(() => null),
  'a word for a number or a boolean': atPlace((value, chance) =>
    typeof value === 'number' || typeof value === 'boolean'
      ? chance.of(['many', 'yes please', 'n/a', 'about 5'])
      : undefined,
  ),
  'a number out of range': atPlace((value, chance) =>
    typeof value === 'number' ? chance.of([-1, 0, value + 1e6, -value - 1e6, value + 0.5, value * 3 + 1]) : undefined,
  ),
  'another word': atPlace((value, chance) =>
    typeof value === 'string'
      ? chance.of(['something else', value.slice(0, -1), `${value}s`, `${value} (default)`, value.toUpperCase()])
      : undefined,
  ),
  'an empty or a long text': atPlace((value, chance) =>
    typeof value === 'string' ? chance.of(['', 'x', `${value} `.repeat(40), 'Lorem ipsum. '.repeat(60)]) : undefined,
  ),
  'a required member left out': atObject((object, chance) => without(object, chance.of(Object.keys(object)))),
  'a misspelt name': atObject((object, chance) => {
    const name = chance.of(Object.keys(object));
    return renamed(
      object,
      name,
      chance.of([`${name}s`, name.slice(0, -1), `${name}_value`, `the_${name}`, name.toUpperCase(), `my${name}`]),
    );
  }),
  'a member nobody knows': atObject((object, chance) => ({
    ...object,
    [chance.of(['note', 'reason', 'verbose', 'extra', 'id2'])]: chance.of<unknown>(['x', true, 3, {}]),
  })),
  'a member at the wrong level': movedMember,
  'an object emptied': atObject((object) => (Object.keys(object).length > 0 ? {} : undefined)),
  'a list of another length': atList((list, chance) =>
    chance.of<unknown>([[], [...list, ...list], list.slice(0, 1), Array.from({ length: 60 }, () => list[0])]),
  ),
  'an item of another type': atList((list, chance) => [...list, chance.of(otherTypes(list[0]))]),
  'a list for a value': atPlace((value) => (typeof value === 'object' ? undefined : [value, value])),
  'an object for a value': atPlace((value) => (typeof value === 'object' ? undefined : { value })),
  'the whole as something else': (args, chance) => chance.of<unknown>([[], [args], 'do it', { tool_input: args }, {}]),
};

/** The arguments with one break, and its name; undefined if they have no place for the break that was drawn. */
export function broken(args: unknown, chance: Chance): { readonly name: string; readonly args: unknown } | undefined {
  const name = chance.of(Object.keys(breaks));
  const result = breaks[name]?.(args, chance);
  return result === undefined ? undefined : { name, args: result };
}

function otherTypes(value: unknown): readonly unknown[] {
  const all: readonly unknown[] = ['text', 7, 2.5, true, [], ['a'], {}, { name: 'x' }];
  return all.filter((each) => typeOf(each) !== typeOf(value));
}

/** Changes the value at one place, drawn from the places that allow the change. */
function at(isPlace: (value: unknown) => boolean, change: (value: never, chance: Chance) => unknown): Break {
  return (args, chance) => {
    const places = placesIn(args).filter((path) => isPlace(valueAt(args, path)));
    if (places.length === 0) return undefined;
    const path = chance.of(places);
    const to = change(valueAt(args, path) as never, chance); // of the kind that was asked for
    return to === undefined ? undefined : replaced(args, path, to);
  };
}

function atPlace(change: (value: unknown, chance: Chance) => unknown): Break {
  const anywhere = at(() => true, change);
  return (args, chance) => (isObject(args) && Object.keys(args).length > 0 ? anywhere(args, chance) : undefined);
}

function atObject(change: (object: Readonly<Record<string, unknown>>, chance: Chance) => unknown): Break {
  const within = at((value) => isObject(value) && Object.keys(value).length > 0, change);
  return (args, chance) =>
    chance.is(0.5) || !isObject(args) || Object.keys(args).length === 0 ? within(args, chance) : change(args, chance);
}

function atList(change: (list: readonly unknown[], chance: Chance) => unknown): Break {
  return at((value) => isList(value) && value.length > 0, change);
}

/** A member of an inner object moves up beside it, or a member beside it moves in. */
function movedMember(args: unknown, chance: Chance): unknown {
  const holders = [[], ...placesIn(args)].filter((path) => isObject(valueAt(args, path)));
  const pairs = holders.flatMap((path) => {
    const holder = valueAt(args, path);
    return isObject(holder)
      ? Object.keys(holder).flatMap((name) => (isObject(holder[name]) ? [{ path, holder, name }] : []))
      : [];
  });
  if (pairs.length === 0) return undefined;
  const { path, holder, name } = chance.of(pairs);
  const inner = holder[name];
  if (!isObject(inner)) return undefined;
  const down = Object.keys(holder).filter((each) => each !== name && !Object.hasOwn(inner, each));
  const up = Object.keys(inner).filter((each) => !Object.hasOwn(holder, each));
  if (up.length > 0 && (down.length === 0 || chance.is(0.5))) {
    const moved = chance.of(up);
    return replaced(args, path, { ...holder, [name]: without(inner, moved), [moved]: inner[moved] });
  }
  if (down.length === 0) return undefined;
  const moved = chance.of(down);
  return replaced(args, path, { ...without(holder, moved), [name]: { ...inner, [moved]: holder[moved] } });
}

function without(object: Readonly<Record<string, unknown>>, name: string) {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
}

function renamed(object: Readonly<Record<string, unknown>>, name: string, to: string) {
  if (to === '' || Object.hasOwn(object, to)) return undefined;
  return Object.fromEntries(Object.entries(object).map(([each, value]) => [each === name ? to : each, value]));
}

function placesIn(value: unknown, before: Path = []): Path[] {
  const members = isList(value)
    ? value.map((item, index) => [index, item] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  return members.flatMap(([key, member]) => [[...before, key], ...placesIn(member, [...before, key])]);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((holder, key) => (holder as Readonly<Record<string | number, unknown>>)[key], value); // paths found in it
}

function replaced(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to;
  if (isList(value)) return value.with(Number(key), replaced(value[Number(key)], rest, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === key ? replaced(member, rest, to) : member]),
  );
}
