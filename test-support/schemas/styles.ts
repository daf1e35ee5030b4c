import { canonicalText, isList, isObject, type JsonObject } from '../../src/json/index.js';
import { repairArguments, type RepairChoice } from '../../src/repair/index.js';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import { asPython, camelCase, snakeCase } from './slips.js';
import { synthesise } from './synthesise.js';

/** The calls in a style by outcome: accepted unchanged, repaired to the intended arguments, to others, or rejected. */
interface StyleCounts {
  accepted: number;
  meant: number;
  other: number;
  refused: number;
}

/** A model's style of writing a whole call, applied to the arguments. */
type Style = (args: JsonObject, properties: JsonObject) => JsonObject;

const styles: Readonly<Record<string, Style>> = {
  'numbers as text': each((value) => (typeof value === 'number' ? String(value) : value)),
  'booleans as text': each((value) => (typeof value === 'boolean' ? String(value) : value)),
  "Python's booleans as text": each((value) => (typeof value === 'boolean' ? asPython(value) : value)),
  'objects and lists as JSON text': containers((value) => JSON.stringify(value)),
  'the same as Python writes them': containers(asPython),
  'the same in a code fence': containers((value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``),
  'the same encoded twice': containers((value) => JSON.stringify(JSON.stringify(value))),
  'null for what is left out': (args, properties) => ({ ...absent(args, properties, null), ...args }),
  '"None" for what is left out': (args, properties) => ({ ...absent(args, properties, 'None'), ...args }),
  '"" for what is left out': (args, properties) => ({ ...absent(args, properties, ''), ...args }),
  'enum values in capitals': (args, properties) =>
    mapped(args, (value, name) =>
      isEnum(properties[name]) && typeof value === 'string' ? value.toUpperCase() : value,
    ),
  'enum values in quotes': (args, properties) =>
    mapped(args, (value, name) => (isEnum(properties[name]) && typeof value === 'string' ? `'${value}'` : value)),
  'names in camelCase': named(camelCase),
  'names in snake_case': named(snakeCase),
  'names in kebab-case': named((name) => snakeCase(name).replaceAll('_', '-')),
  'scalars as lists': each((value) => (typeof value === 'object' ? value : [value])),
  'lists of one as their element': each((value) => (isList(value) && value.length === 1 ? value[0] : value)),
  'in an envelope': (args, properties) => ({ [envelope(properties)]: args }),
  'in an envelope of text': (args, properties) => ({ [envelope(properties)]: JSON.stringify(args) }),
};

const modes = ['integers', 'safe', 'all'] as const satisfies readonly RepairChoice[];

/** The number of pairs of styles for each schema. */
const pairs = 6;

/**
 * The outcomes of whole calls to tools with these schemas, in one style and in two at once (under `two at once`), for
 * each mode; and the calls that were repaired to something else.
 */
export function countStyles(schemas: readonly unknown[]): {
  counts: Record<string, Record<string, StyleCounts>>;
  others: string[];
} {
  const names = [...Object.keys(styles), 'two at once'];
  const none = () => Object.fromEntries(modes.map((mode) => [mode, { accepted: 0, meant: 0, other: 0, refused: 0 }]));
  const counts: Record<string, Record<string, StyleCounts>> = Object.fromEntries(names.map((name) => [name, none()]));
  const others: string[] = [];
  for (const [index, schema] of schemas.entries()) {
    const compiled = compileSchema(schema);
    for (const [style, sent, ...fine] of styledCalls(schema, index)) {
      for (const mode of modes) {
        const { arguments: repaired, repairs, evaluation } = repairArguments(compiled, sent, mode);
        const isMeant = evaluation.outcome === 'valid' && isMadeOf(repaired, [sent, ...fine]);
        const result =
          evaluation.outcome !== 'valid' ? 'refused' : repairs.length === 0 ? 'accepted' : isMeant ? 'meant' : 'other';
        const count = counts[style]?.[mode];
        if (count) count[result]++;
        if (result === 'other') others.push(`${style}, ${mode}: ${JSON.stringify(sent)} to ${JSON.stringify(repairs)}`);
      }
    }
  }
  return { counts, others };
}

/** With the intended arguments, and those after the first of two styles, which the schema may accept. */
function* styledCalls(schema: unknown, index: number): Generator<[style: string, sent: unknown, ...fine: unknown[]]> {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const compiled = compileSchema(schema);
  const names = Object.keys(styles);
  // Styles of omission need calls that omit something.
  for (const optional of [true, false]) {
    const meant = synthesise(schema, { optional });
    if (!isObject(meant) || evaluate(compiled, meant).outcome !== 'valid') continue;
    // Null means the same if it is accepted, and so does a value of that name.
    const withNulls = { ...absent(meant, properties, null), ...meant };
    const withNone = { ...absent(meant, properties, 'none'), ...meant };
    const write = (args: JsonObject, name: string) => styles[name]?.(args, properties) ?? args;
    for (const name of names) {
      const sent = write(meant, name);
      if (canonicalText(sent) !== canonicalText(meant)) yield [name, sent, meant, withNulls, withNone];
    }
    for (let pair = 0; pair < pairs; pair++) {
      // In order: an envelope wraps everything else.
      const [first = 0, second = 0] = [index + 5 * pair, 2 * index + 7 * pair + 1]
        .map((at) => at % names.length)
        .sort((left, right) => left - right);
      const once = write(meant, names[first] ?? '');
      const sent = write(once, names[second] ?? '');
      if (first !== second && canonicalText(sent) !== canonicalText(meant))
        yield ['two at once', sent, meant, once, withNulls, withNone];
    }
  }
}

/** True if a value is one of these, or consists of such members. */
function isMadeOf(value: unknown, of: readonly unknown[]): boolean {
  if (of.some((each) => canonicalText(each) === canonicalText(value))) return true;
  if (isList(value)) {
    const lists = of.filter(isList).filter(({ length }) => length === value.length);
    return (
      lists.length > 0 &&
      value.every((item, index) =>
        isMadeOf(
          item,
          lists.map((list) => list[index]),
        ),
      )
    );
  }
  if (!isObject(value)) return false;
  const objects = of.filter(isObject);
  const names = Object.keys(value);
  const required = objects.map((object) => Object.keys(object).length);
  return (
    names.length >= Math.min(...required) &&
    names.every((name) =>
      isMadeOf(
        value[name],
        objects.flatMap((object) => (Object.hasOwn(object, name) ? [object[name]] : [])),
      ),
    )
  );
}

function mapped(args: JsonObject, write: (value: unknown, name: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, write(value, name)]));
}

function each(write: (value: unknown) => unknown): Style {
  return (args) => mapped(args, write);
}

function containers(write: (value: object) => string): Style {
  return each((value) => (typeof value === 'object' && value !== null ? write(value) : value));
}

function named(write: (name: string) => string): Style {
  return (args) => Object.fromEntries(Object.entries(args).map(([name, value]) => [write(name), value]));
}

function absent(args: JsonObject, properties: JsonObject, value: unknown): JsonObject {
  const left = Object.keys(properties).filter((name) => !Object.hasOwn(args, name));
  return Object.fromEntries(left.map((name) => [name, value]));
}

/** A property that the tool declares is no envelope. */
function envelope(properties: JsonObject): string {
  return ['input', 'arguments', 'args'].find((name) => !Object.hasOwn(properties, name)) ?? 'parameters';
}

function isEnum(schema: unknown): boolean {
  return isObject(schema) && isList(schema['enum']);
}
