import { isList, isObject, type JsonObject, typeOf, walkSchemas } from '../../src/json/index.js';
import { candidatesFor } from '../../src/repair/candidates/candidates.js';
import type { RepairKind, RepairOptions } from '../../src/repair/index.js';
import { Meaning } from '../../src/schema/coerce/meaning.js';
import { registryOf } from '../../src/schema/compile/compile.js';
import { completeBudget } from '../../src/schema/evaluate/budget.js';
import { EvaluationPass } from '../../src/schema/evaluate/pass.js';
import { startLimits } from '../../src/schema/evaluate/run-pass.js';
import { compileSchema, defaultBudget, evaluate, type Place } from '../../src/schema/index.js';

/** At how many places of some schemas a kind of repair could apply, and at how many more it does not, being ambiguous. */
interface Positions {
  applies: number;
  ambiguous: number;
}

/** Every schema within the schemas that refuses a slip of a kind: whether there is one candidate for what was meant. */
export function countPositions(schemas: readonly unknown[]): Record<string, Positions> {
  const counts = Object.fromEntries(Object.keys(probes).map((kind) => [kind, { applies: 0, ambiguous: 0 }]));
  for (const root of schemas) {
    const optional = optionalsIn(root);
    for (const { schema } of walkSchemas(root)) {
      const place = schema === root ? 'root' : optional.has(schema) ? 'optional' : 'member';
      const compiled = compileSchema({ ...definitionsOf(root), ...schema });
      for (const [options, [kind, slipsFor]] of Object.entries(probes)) {
        const slips = slipsFor(schema, place).filter((slip) => evaluate(compiled, slip).outcome === 'invalid');
        const count = counts[options];
        if (slips.length === 0 || !count) continue;
        const meaning = new Meaning([registryOf(compiled).main.root], startPass());
        const isRead = (slip: unknown) =>
          candidatesFor(slip, { schema, place, meaning: () => meaning }, new Set([kind])).length > 0;
        count[slips.every(isRead) ? 'applies' : 'ambiguous']++;
      }
    }
  }
  return counts;
}

function startPass(): EvaluationPass {
  return new EvaluationPass(startLimits(completeBudget(undefined), {}), defaultBudget.steps);
}

function optionalsIn(root: unknown): Set<unknown> {
  const found = new Set<unknown>();
  for (const { schema } of walkSchemas(root)) {
    const { properties, required } = schema;
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      if (!(isList(required) && required.includes(name))) found.add(property);
    }
  }
  return found;
}

function definitionsOf(root: unknown): JsonObject {
  if (!isObject(root)) return {};
  const { $schema, $defs, definitions } = root;
  return Object.fromEntries(Object.entries({ $schema, $defs, definitions }).filter(([, value]) => value !== undefined));
}

type SlipsFor = (schema: JsonObject, place: Place) => unknown[];

/** Slips as models make them, where a schema asks for what they stand for. */
const probes: Record<keyof RepairOptions, [RepairKind, SlipsFor]> = {
  integers: ['integer', forTypes({ integer: '5', number: '5' })],
  numbers: ['number', forTypes({ number: '0.5' })],
  booleans: ['boolean', forTypes({ boolean: 'True' })],
  strings: ['string', forTypes({ string: 25 })],
  decimals: ['decimal', forTypes({ string: 1.5 })],
  enums: ['enum', (schema) => textsOf(schema).flatMap((text) => [swapped(text), text.replaceAll(/[\s_-]+/g, ' ')])],
  names: ['name', namesOf],
  json: ['json', forTypes({ array: '[]', object: '{}' })],
  lists: ['list', forTypes({ string: ['x'], integer: [1], number: [1], boolean: [true] })],
  singletons: ['singleton', ({ type, items }) => (type === 'array' && isObject(items) ? sampleOf(items) : [])],
  nulls: ['null', (_schema, place) => (place === 'optional' ? [null] : [])],
  blanks: ['blank', (_schema, place) => (place === 'optional' ? [''] : [])],
  words: ['word', (schema) => (textsOf(schema).length > 1 ? textsOf(schema).map((text) => `the ${text}`) : [])],
  wrappers: [
    'wrapper',
    (_schema, place) =>
      place === 'root'
        ? ['arguments', 'input', 'parameters', 'properties', 'args'].map((name) => ({ [name]: {} }))
        : [],
  ],
};

function forTypes(slips: Readonly<Record<string, unknown>>): SlipsFor {
  return ({ type, enum: values, const: constant }) => {
    if (values !== undefined || constant !== undefined) return [];
    return [type]
      .flat()
      .flatMap((each) => (typeof each === 'string' && Object.hasOwn(slips, each) ? [slips[each]] : []));
  };
}

function textsOf({ enum: values }: JsonObject): string[] {
  return isList(values) ? values.filter((value) => typeof value === 'string') : [];
}

function swapped(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

/** Every declared name in another spelling, where that is refused or the name is missed. */
function namesOf({ properties, required, additionalProperties }: JsonObject): unknown[] {
  if (!isObject(properties)) return [];
  const isMissed = (name: string) => additionalProperties === false || (isList(required) && required.includes(name));
  const names = Object.keys(properties).filter((name) => isMissed(name) && swapped(name) !== name);
  return names.map((name) => ({ [swapped(name)]: 1 }));
}

function sampleOf(items: JsonObject): unknown[] {
  const samples = { string: 'x', integer: 1, number: 1.5, boolean: true };
  return forTypes(samples)(items, 'element').filter((sample) => typeOf(sample) !== 'array');
}
