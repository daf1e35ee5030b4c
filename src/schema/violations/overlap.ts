import { isObject, type JsonObject, listed, listOf, quote } from '../../json/index.js';
import { shownText } from '../../secrets/index.js';
import { type Reading, viewOf } from '../reading/view.js';
import type { Expectation } from './expectation.js';

/** Alternatives that are named and compared, and properties that are named of each. */
const limits = { alternatives: 4, names: 3 };

interface Overlapping {
  readonly schema: JsonObject;
  readonly name: string;
  /** Properties that were sent and that this alternative alone requires. */
  readonly own: readonly string[];
}

/** Which alternatives of a `oneOf` match together, and which properties decide: '"Circle" and "Square"; leave out "r" or "a"' */
export function overlapText(
  { schemas, matching }: Extract<Expectation, { kind: 'exactly-one' }>,
  context: Reading & { readonly received: { readonly value: unknown } },
): string {
  const shown = matching.slice(0, limits.alternatives);
  const views = shown.map((index) => ({ index, view: viewOf(schemas[index]?.schema, context) }));
  const { value } = context.received;
  const sent = isObject(value) ? value : {};
  const all = views.map(({ index, view: { schema, name } }): Overlapping => {
    const others = views.filter((each) => each.index !== index).map(({ view }) => view.schema);
    const own = requiredOf(schema).filter(
      (property) => Object.hasOwn(sent, property) && !others.some((other) => requiredOf(other).includes(property)),
    );
    return { schema, name: nameOf(schemas[index]?.schema, schema, name, index), own: own.slice(0, limits.names) };
  });
  const names = all.map(({ name }) => name);
  const more = matching.length - shown.length;
  const text = listed(more > 0 ? [...names, `${more} more`] : names, 'and');
  return more > 0 ? text : `${text}${remedyOf(all, sent)}`;
}

function remedyOf(all: readonly Overlapping[], sent: JsonObject): string {
  // One alternative is left if a property that it does not require is missing for each of the others.
  const ways = all.flatMap((kept) => {
    const others = all.filter((each) => each !== kept);
    return others.every(({ own }) => own.length > 0) ? [namesText(others.flatMap(({ own }) => own.slice(0, 1)))] : [];
  });
  if (ways.length > 0) return `; leave out ${listed(ways)}`;
  const added = all.flatMap(({ schema }) => {
    const others = all.filter((each) => each.schema !== schema);
    const isNew = (property: string) =>
      !Object.hasOwn(sent, property) && others.every((other) => refuses(other.schema, property));
    return Object.keys(propertiesOf(schema)).filter(isNew).slice(0, 1);
  });
  return added.length > 0 ? `; add ${listed(added.map((each) => quote(each)))}` : '';
}

function refuses(schema: JsonObject, property: string): boolean {
  return schema['additionalProperties'] === false && !Object.hasOwn(propertiesOf(schema), property);
}

/** The alternative's title, the name of its definition, its tag, or its number and text. */
function nameOf(schema: unknown, view: JsonObject, reference: string | undefined, index: number): string {
  const { title } = view;
  if (typeof title === 'string' && title !== '') return shownText(title, 60);
  if (reference) return shownText(reference, 60);
  const tag = Object.entries(propertiesOf(view)).find(([, each]) => isObject(each) && Object.hasOwn(each, 'const'));
  if (tag && isObject(tag[1])) return `${quote(tag[0], 40)} ${shownText(tag[1]['const'], 60)}`;
  return `number ${index + 1} ${shownText(schema, 60)}`;
}

function requiredOf({ required }: JsonObject): readonly string[] {
  return listOf(required).filter((each) => typeof each === 'string');
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

function namesText(names: readonly string[]): string {
  return listed(
    names.map((each) => quote(each)),
    'and',
  );
}
