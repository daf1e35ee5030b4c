import { isObject, isText, type JsonObject, type JsonType, lazy, listOf, propertiesOf } from '../../json/index.js';
import { applicableSchemas, mentionedNames, prefixOf, schemasAt, schemasMatching } from './applicable-schemas.js';
import type { SchemaNode } from '../keywords/keyword.js';
import { typesOf } from '../reading.js';

/**
 * Everything that the schemas for one place say about its values: behind references, in `allOf`, in alternatives, under
 * conditions. Schemas that may not apply to the value at hand are included.
 */
export interface SchemaHints {
  readonly holder: SchemaHints | undefined;
  readonly key: string | number;
  /** True if the place is a member that is declared under `properties`. */
  readonly isDeclared: boolean;
  /** True if the place is an item of a list or a member of a map. */
  readonly isOneOfMany: boolean;
  /** The hints for a member or an item; all items after the prefixes share one. */
  at(key: string | number): SchemaHints;
  within(path: readonly (string | number)[]): SchemaHints;
  /** The answer to a question about this place. It is found once for all calls. */
  once<Answer>(question: string, find: () => Answer): Answer;
  /** The schemas of the value itself. */
  readonly own: readonly JsonObject[];
  /** The schemas of this place, with those of the list or map that it is one item of. */
  readonly schemas: () => readonly JsonObject[];
  readonly isOptional: () => boolean;
  readonly acceptsNull: () => boolean;
  /** The names under `properties`. */
  readonly properties: () => ReadonlySet<string>;
  /** All names that these schemas mention. */
  readonly names: () => ReadonlySet<string>;
  /** True if a name is declared, or matches a pattern. */
  readonly declares: (name: string) => boolean;
  /** The types that the schemas of the value name. */
  readonly types: () => ReadonlySet<JsonType>;
  /** The values of the enums there. */
  readonly listed: () => ReadonlySet<unknown>;
  /** The titles and descriptions of these schemas. */
  readonly texts: () => readonly string[];
  readonly examples: () => readonly unknown[];
  /** The steps that reading these schemas takes, even if they were read for another call. */
  readonly weight: () => number;
}

function hintsAbout(nodes: readonly SchemaNode[], holder?: SchemaHints, key: string | number = ''): SchemaHints {
  const all = applicableSchemas(nodes);
  const own = all.map(({ schema }) => schema);
  const parts = new Map<string | number, SchemaHints>();
  const answers = new Map<string, unknown>();
  const longestPrefix = lazy(() => Math.max(0, ...all.map((each) => prefixOf(each).length)));
  const patterned = lazy(() => all.filter((node) => Object.hasOwn(node.schema, 'patternProperties')));
  const isDeclared = typeof key === 'string' && holder?.properties().has(key) === true;
  const isOneOfMany = holder !== undefined && !isDeclared;
  const hints: SchemaHints = {
    holder,
    key,
    isDeclared,
    isOneOfMany,
    own,
    schemas: lazy(() => (isOneOfMany ? [...own, ...holder.schemas()] : own)),
    isOptional: () => holder?.own.some(({ required }) => listOf(required).includes(key)) !== true,
    acceptsNull: lazy(() => own.some((each) => typesOf(each)?.includes('null') ?? each['nullable'] === true)),
    properties: lazy(() => new Set(own.flatMap((each) => Object.keys(propertiesOf(each))))),
    names: lazy(() => new Set(own.flatMap((each) => [...mentionedNames(each), ...mentionedNames(each['not'])]))),
    declares: (name) => hints.names().has(name) || patterned().some((node) => schemasMatching(name, node).length > 0),
    types: lazy(() => new Set(own.flatMap((schema) => typesOf(schema) ?? []))),
    listed: lazy(() => new Set(own.flatMap((schema) => listOf(schema['enum'])))),
    texts: lazy(() => own.flatMap(({ title, description }) => [title, description]).filter(isText)),
    examples: lazy(() => [
      ...own.flatMap(examplesIn),
      ...(holder?.examples() ?? []).flatMap((each) => partOfExample(each, hints)),
    ]),
    weight: lazy(() => {
      const read = [...hints.names(), ...hints.listed(), ...hints.texts(), ...hints.examples()];
      return read.reduce<number>((sum, each) => sum + 1 + (isText(each) ? each.length >> 4 : 0), own.length);
    }),
    within: (path) => path.reduce((part, name) => part.at(name), hints),
    at(name) {
      const place = typeof name === 'number' ? Math.min(name, longestPrefix()) : name;
      const nodes = () => all.flatMap((node) => schemasAt(place, node));
      const part = parts.get(place) ?? hintsAbout(nodes(), hints, place);
      // Calls cannot add to what is kept: names of maps are as many as callers choose.
      if (typeof place === 'number' || hints.properties().has(place)) parts.set(place, part);
      return part;
    },
    once(question, find) {
      if (!answers.has(question)) answers.set(question, find());
      return answers.get(question) as ReturnType<typeof find>; // what was found for this question
    },
  };
  return hints;
}

const hintsOf = new WeakMap<SchemaNode, SchemaHints>();

/** The hints of a schema, read once for all calls. */
export function hintsOfSchema(root: SchemaNode): SchemaHints {
  const hints = hintsOf.get(root) ?? hintsAbout([root]);
  hintsOf.set(root, hints);
  return hints;
}

/** `example` and examples by name are OpenAPI's. */
function examplesIn({ default: usual, example, examples }: JsonObject): readonly unknown[] {
  const named = isObject(examples) ? Object.values(examples) : [];
  return [usual, example, ...listOf(examples), ...named.map((each) => (isObject(each) ? each['value'] : each))];
}

/** The part of the holder's example that belongs to a place in it. */
function partOfExample(example: unknown, { key, isDeclared }: SchemaHints): readonly unknown[] {
  if (typeof key === 'number') return listOf(example);
  if (!isObject(example)) return [];
  return isDeclared ? (Object.hasOwn(example, key) ? [example[key]] : []) : Object.values(example);
}
