import type { JsonObject } from '../../json/index.js';
import { equals, isObject, listed, propertiesOf, quote, requiredOf } from '../../json/index.js';
import { shownText } from '../../secrets/index.js';
import { type Reading, valuesOf, viewOf } from '../reading.js';
import type { Expectation } from './expectation.js';
import type { Context } from './context.js';
import { waysOut } from './remedies.js';

/** Alternatives that are named and compared, and properties that are named of each. */
const limits = { alternatives: 4, names: 3, compared: 60 };

interface Overlapping {
  readonly schema: JsonObject;
  readonly name: string;
  /** Properties that were sent and that this alternative alone requires. */
  readonly own: readonly string[];
}

/**
 * Which alternatives of a `oneOf` match together, and which properties decide: '"Circle" and "Square"; leave out "r" or
 * "a"'.
 */
export function overlapText(
  { schemas, matching }: Extract<Expectation, { kind: 'exactly-one' }>,
  context: OverlapContext,
): string {
  const shown = matching.slice(0, limits.alternatives);
  const views = shown.map((index) => ({ index, view: viewOf(schemas[index]?.schema, context) }));
  const sent = sentIn(context);
  const all = views.map(({ index, view: { schema, name } }): Overlapping => {
    const others = views.filter((each) => each.index !== index).map(({ view }) => view.schema);
    const isOwn = (property: string) =>
      Object.hasOwn(sent, property) && !others.some((other) => requiredOf(other).includes(property));
    const own = requiredOf(schema).filter(isOwn).slice(0, limits.names);
    return { schema, name: nameOf(schemas[index]?.schema, schema, name, index), own };
  });
  const isTwice = (name: string) => all.filter((each) => each.name === name).length > 1;
  const names = all.map(({ name }, at) => (isTwice(name) ? `${name} (number ${(shown[at] ?? 0) + 1})` : name));
  const more = matching.length - shown.length;
  const text = listed(more > 0 ? [...names, `${more} more`] : names, 'and');
  return more > 0 ? text : `${text}${remedyOf(all, context)}`;
}

type OverlapContext = Pick<Context, 'received' | 'instanceLocation' | 'texts'> & Reading;

function sentIn({ received: { value } }: OverlapContext): JsonObject {
  return isObject(value) ? value : {};
}

function remedyOf(all: readonly Overlapping[], context: OverlapContext): string {
  const sent = sentIn(context);
  const isWayOut = waysOut(context);
  // One alternative is left if a property that it does not require is missing for each of the others.
  const ways = all.flatMap((kept) => {
    const others = all.filter((each) => each !== kept);
    const each = Array.from({ length: limits.names }, (_, at) => others.flatMap(({ own }) => own[at] ?? own[0] ?? []));
    const names = each.find((out) => out.length === others.length && isWayOut(out));
    return names ? [namesText(names)] : [];
  });
  if (ways.length > 0) return `; leave out ${listed(ways)}`;
  const added = all.flatMap(({ schema }) => {
    const others = all.filter((each) => each.schema !== schema);
    const isNew = (property: string) =>
      !Object.hasOwn(sent, property) &&
      others.every(
        ({ schema: other }) => other['additionalProperties'] === false && !Object.hasOwn(propertiesOf(other), property),
      );
    return Object.keys(propertiesOf(schema)).filter(isNew).slice(0, 1);
  });
  if (added.length > 0) return `; add ${listed(added.map((each) => quote(each)))}`;
  const isDeciding = (name: string) =>
    all.some(({ schema }) => !equals(propertiesOf(schema)[name], propertiesOf(all[0]?.schema ?? {})[name]));
  const deciding = Object.keys(sent).slice(0, limits.compared).filter(isDeciding).slice(0, limits.names);
  return deciding.length > 0 ? `; they differ in ${namesText(deciding)}` : '';
}

/** The alternative's title, the name of its definition, its tag, or its number and text. */
function nameOf(schema: unknown, view: JsonObject, reference: string | undefined, index: number): string {
  const { title } = view;
  if (typeof title === 'string' && title !== '') return shownText(title, 60);
  if (reference) return shownText(reference, 60);
  const tags = Object.entries(propertiesOf(view)).flatMap(([name, each]) => {
    const values = isObject(each) ? (valuesOf(each) ?? []) : [];
    return values.length === 0 ? [] : [{ name, values }];
  });
  const tag = tags.find(({ values }) => values.length === 1) ?? tags[0];
  if (tag)
    return `${quote(tag.name, 40)} ${listed(tag.values.slice(0, limits.names).map((each) => shownText(each, 60)))}`;
  return `number ${index + 1} ${shownText(schema, 60)}`;
}

function namesText(names: readonly string[]): string {
  const quoted = names.map((each) => quote(each));
  return listed(quoted, 'and');
}
