import { canonicalText, isObject, jsonPointer } from '../../src/json/index.js';
import { applyRepairs, type Replacement } from '../../src/repair/apply.js';
import { repairArguments, type RepairOption, repairOptions } from '../../src/repair/index.js';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import { synthesise } from './synthesise.js';

/** Malformed arguments as a model might send them, and the intended ones. */
interface Slip {
  readonly kind: RepairOption;
  readonly where: string;
  readonly args: unknown;
  /** The intended arguments, any of these. None if nobody can tell, so that every repair is wrong. */
  readonly meant: readonly unknown[];
}

/**
 * The slips of a kind by outcome: accepted unchanged, repaired to the intended value, to another value, or rejected.
 */
interface SlipCounts {
  accepted: number;
  meant: number;
  other: number;
  refused: number;
}

/** The outcomes, with all repairs, of every slip at every place of calls that fit the schemas. */
export function countSlips(schemas: readonly unknown[]): { counts: Record<string, SlipCounts>; others: string[] } {
  const counts = Object.fromEntries(
    repairOptions.map((kind) => [kind, { accepted: 0, meant: 0, other: 0, refused: 0 }]),
  );
  const others: string[] = [];
  for (const schema of schemas) {
    const compiled = compileSchema(schema);
    const args = synthesise(schema, { optional: true });
    if (evaluate(compiled, args).outcome !== 'valid') continue;
    for (const slip of slipsIn(args)) {
      const { arguments: repaired, evaluation, repairs } = repairArguments(compiled, slip.args, 'all');
      const result =
        evaluation.outcome !== 'valid'
          ? 'refused'
          : repairs.length === 0
            ? 'accepted'
            : slip.meant.some((meant) => canonicalText(meant) === canonicalText(repaired))
              ? 'meant'
              : 'other';
      const count = counts[slip.kind];
      if (count) count[result]++;
      if (result === 'other') others.push(`${slip.kind} at ${slip.where}: ${JSON.stringify(repairs)}`);
    }
  }
  return { counts, others };
}

/** Every slip at every place of valid arguments, one at a time. */
export function* slipsIn(args: unknown): Generator<Slip> {
  for (const name of ['arguments', 'input', 'parameters', 'properties', 'args']) {
    yield { kind: 'wrappers', where: '', args: { [name]: args }, meant: [args] };
  }
  for (const { path, value } of valuesIn(args)) {
    const where = jsonPointer(path);
    const replaced = (to: unknown) => applyRepairs(args, [{ instanceLocation: where, to }]);
    for (const [kind, slip, meant] of slipsOf(value)) {
      yield { kind, where, args: replaced(slip), meant: [meant === undefined ? args : replaced(meant)] };
    }
    if (typeof path.at(-1) === 'string') {
      for (const absent of [null, 'null', 'None', '']) {
        const kind = absent === '' ? 'blanks' : absent === null ? 'nulls' : 'allNulls';
        yield { kind, where, args: replaced(absent), meant: [undefined, null, 'none'].map(replaced) };
      }
    }
    if (isObject(value)) yield* misnamed(args, where, value);
  }
}

/** The kind of slip, the malformed value, and the intended one if it is not the original. */
function* slipsOf(value: unknown): Generator<[kind: RepairOption, slip: unknown, meant?: unknown]> {
  if (typeof value === 'number') yield [Number.isInteger(value) ? 'integers' : 'numbers', String(value)];
  if (typeof value === 'boolean') {
    yield ['booleans', value ? 'True' : 'false'];
    yield ['bits', value ? 1 : 0];
  }
  if (typeof value === 'string') {
    yield ['strings', 25, '25'];
    yield ['decimals', 1.5, '1.5'];
    yield ['enums', value.toUpperCase()];
    yield ['enums', value.replaceAll(/[_-]/g, ' ')];
  }
  if (!isObject(value) && !Array.isArray(value) && value !== null) yield ['lists', [value]];
  if (typeof value === 'object' && value !== null) {
    yield ['json', JSON.stringify(value)];
    yield ['json', `\`\`\`json\n${asPython(value)}\n\`\`\``];
  }
  if (Array.isArray(value) && value.length === 1) yield ['singletons', value[0]];
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item !== 'object')) {
    yield ['split', [...value, ...value].join(', '), [...value, ...value]];
  }
}

function* misnamed(args: unknown, where: string, object: object): Generator<Slip> {
  for (const name of Object.keys(object)) {
    const slip = /[_-]/.test(name) ? camelCase(name) : snakeCase(name);
    if (slip === name || Object.hasOwn(object, slip)) continue;
    const renamed: Replacement = {
      instanceLocation: `${where}${jsonPointer([name])}`,
      kind: 'name',
      from: name,
      to: slip,
    };
    yield { kind: 'names', where: renamed.instanceLocation, args: applyRepairs(args, [renamed]), meant: [args] };
  }
}

function valuesIn(value: unknown, path: (string | number)[] = []): { path: (string | number)[]; value: unknown }[] {
  const inner = Array.isArray(value)
    ? value.flatMap((item, index) => valuesIn(item, [...path, index]))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => valuesIn(member, [...path, name]))
      : [];
  return path.length === 0 ? inner : [{ path, value }, ...inner];
}

export function asPython(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(asPython).join(', ')}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([name, it]) => `${asPython(name)}: ${asPython(it)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}

export function camelCase(name: string): string {
  return name.replace(/[_-]+(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

export function snakeCase(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}
