import { isList, isObject, mapSubschemas, typeOf } from '../../src/json/index.js';
import { compileSchema, evaluate, type CompiledSchema } from '../../src/schema/index.js';
import { synthesise } from '../../test-support/schemas/synthesise.js';

export const kinds = ['valid', 'missing', 'type', 'unknown', 'enum', 'alternative'] as const;

/** A call as a program would write it, and what is wrong with it. */
export interface TypedCall {
  readonly kind: (typeof kinds)[number];
  readonly text: string;
}

const mostOfAKind = 12;

/** Calls of a tool: valid ones, and each with one mistake, by the schema's own verdict. */
export function callsOf(schema: Readonly<Record<string, unknown>>): TypedCall[] {
  const compiled = compileSchema(schema);
  const variants = [false, true].flatMap((optional) =>
    [0, 1, 2, 3].map((alternative) => synthesise(choosing(schema, alternative), { optional })),
  );
  const valid = distinct(variants).filter((args) => isObject(args) && outcome(compiled, args) === 'valid');
  const calls = distinct(valid).map((args) => callOf('valid', args));
  for (const args of valid)
    for (const { kind, mutant } of [...mistakes(args), ...mixed(args, valid)]) {
      const evaluation = evaluate(compiled, mutant);
      if (evaluation.outcome !== 'invalid') continue;
      // A text in place of an enum's may break a pattern as well.
      const isMeant = kind !== 'enum' || evaluation.violations.every(({ keyword }) => /^(enum|const)$/.test(keyword));
      if (isMeant) calls.push(callOf(kind, mutant));
    }
  const texts = new Map(calls.map((call) => [call.text, call]));
  const counts: Record<string, number> = {};
  return [...texts.values()].filter(({ kind }) => (counts[kind] = (counts[kind] ?? 0) + 1) <= mostOfAKind);
}

function outcome(compiled: CompiledSchema, args: unknown) {
  return evaluate(compiled, args).outcome;
}

function distinct(all: readonly unknown[]): unknown[] {
  return [...new Map(all.map((args) => [JSON.stringify(args), args])).values()];
}

function callOf(kind: TypedCall['kind'], args: unknown): TypedCall {
  return { kind, text: JSON.stringify(args) };
}

/** With one alternative of each choice. */
function choosing(schema: unknown, alternative: number): unknown {
  if (!isObject(schema)) return schema;
  const inner = mapSubschemas(schema, (part) => choosing(part, alternative));
  const chosen = ['anyOf', 'oneOf'].flatMap((keyword) => {
    const list = inner[keyword];
    return isList(list) && list.length > 0 ? [[keyword, [list[alternative % list.length]]]] : [];
  });
  return { ...inner, ...Object.fromEntries(chosen) };
}

interface Mistake {
  readonly kind: Exclude<TypedCall['kind'], 'valid'>;
  readonly mutant: unknown;
}

/** Each with one change, at every place. */
function* mistakes(value: unknown): Generator<Mistake> {
  if (isObject(value)) {
    yield { kind: 'unknown', mutant: { ...value, zzUnknown: 'x' } };
    for (const name of Object.keys(value)) {
      const { [name]: member, ...others } = value;
      yield { kind: 'missing', mutant: others };
      yield { kind: 'type', mutant: { ...value, [name]: ofAnotherType(member) } };
      if (typeof member === 'string') yield { kind: 'enum', mutant: { ...value, [name]: 'zz-none-of-them' } };
      for (const { kind, mutant } of mistakes(member)) yield { kind, mutant: { ...value, [name]: mutant } };
    }
  } else if (isList(value))
    for (const [index, item] of value.entries()) {
      const replaced = (mutant: unknown) => value.map((other, at) => (at === index ? mutant : other));
      yield { kind: 'type', mutant: replaced(ofAnotherType(item)) };
      for (const { kind, mutant } of mistakes(item)) yield { kind, mutant: replaced(mutant) };
    }
}

function ofAnotherType(value: unknown): unknown {
  return typeOf(value) === 'boolean' ? [true] : typeOf(value) === 'object' ? 'x' : { zzOther: true };
}

/** With the members of another valid call, which another alternative allows. */
function mixed(args: unknown, others: readonly unknown[]): Mistake[] {
  return others
    .filter((other) => other !== args)
    .map((other) => ({ kind: 'alternative', mutant: merged(args, other) }));
}

function merged(one: unknown, other: unknown): unknown {
  if (!isObject(one) || !isObject(other)) return one;
  const shared = Object.entries(one).map(([name, member]) => [
    name,
    name in other ? merged(member, other[name]) : member,
  ]);
  return { ...other, ...Object.fromEntries(shared) };
}
