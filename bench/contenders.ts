import { createRequire } from 'node:module';
import type * as Converter from '@n8n/json-schema-to-zod';
import type { Dialect } from '../src/schema/index.js';

export type Validate = (instance: unknown) => boolean;

/** Prepares a validator for a schema. */
export type Prepare = (schema: unknown, dialect: Dialect) => Validate;

export interface Case {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly dialect: Dialect;
  readonly instance: unknown;
}

/** The validators, each loaded on request: a process of its own holds no other. */
export const contenders: readonly { readonly name: string; load(): Promise<Prepare> }[] = [
  { name: 'mcp-verbatim', load: loadOwn },
  { name: '@cfworker/json-schema', load: loadCfworker },
  { name: 'Ajv', load: loadAjv },
  { name: 'Zod by n8n', load: loadZod },
];

async function loadOwn(): Promise<Prepare> {
  const { compileSchema, evaluate } = await import('../src/schema/index.js');
  return (schema) => {
    const compiled = compileSchema(schema);
    return (instance) => evaluate(compiled, instance).outcome === 'valid';
  };
}

async function loadCfworker(): Promise<Prepare> {
  const { Validator } = await import('@cfworker/json-schema');
  return (schema, dialect) => {
    const name = dialect === '2020-12' || dialect === '2019-09' ? dialect : dialect === 'draft-04' ? '4' : '7';
    // Its type requires more than it needs; it accepts any JSON value.
    const validator = new Validator(schema as ConstructorParameters<typeof Validator>[0], name);
    return (instance) => validator.validate(instance).valid;
  };
}

/** One instance per dialect, as its documentation advises. */
async function loadAjv(): Promise<Prepare> {
  const { ajvFor, withoutDialect } = await import('../test-support/schemas/ajv.js');
  const ajvs = new Map<Dialect, ReturnType<typeof ajvFor>>();
  return (schema, dialect) => {
    let ajv = ajvs.get(dialect);
    if (!ajv) ajvs.set(dialect, (ajv = ajvFor(dialect)));
    const validate = ajv.compile(withoutDialect(schema));
    return (instance) => validate(instance) === true;
  };
}

/** The validation of n8n's agents, after the schema went through n8n's converter. */
function loadZod(): Promise<Prepare> {
  // Its ES modules name files without their endings, which Node does not find.
  const { jsonSchemaToZod } = createRequire(import.meta.url)('@n8n/json-schema-to-zod') as typeof Converter;
  return Promise.resolve((schema) => {
    // The converter's type has a narrower notion of a schema; n8n passes it any as well.
    const zod = jsonSchemaToZod(schema as Converter.JsonSchema);
    return (instance) => zod.safeParse(instance).success;
  });
}

const furtherCalls = 40;
/** Larger than a processor's own caches. */
const otherMemory = new Uint8Array(8 << 20);
let turns = 0;

/** Microseconds of the first call: compilation and a validation. */
export function firstCall(prepare: Prepare, { schema, dialect, instance }: Case, before?: () => void): number {
  const fresh = freshly(schema);
  before?.();
  return once(() => prepare(fresh, dialect)(instance));
}

/** Microseconds of a call after the first. */
export function furtherCall(prepare: Prepare, { schema, dialect, instance }: Case): number {
  const validate = prepare(freshly(schema), dialect);
  validate(instance);
  return timed(() => validate(instance));
}

/** A schema that this project's cache does not know. */
function freshly(schema: unknown): object {
  return { [`x-turn-${turns++}`]: true, ...(JSON.parse(JSON.stringify(schema)) as object) };
}

export function emptyCaches(): void {
  for (let at = 0; at < otherMemory.length; at += 64) otherMemory[at] = ((otherMemory[at] ?? 0) + 1) & 255;
}

/** Microseconds of one call, as the mean of some. */
export function timed(call: () => unknown): number {
  const started = performance.now();
  for (let i = 0; i < furtherCalls; i++) use(call);
  return ((performance.now() - started) * 1000) / furtherCalls;
}

/** Calls, and reads the result: a result that nobody reads need not be computed. */
export function use(call: () => unknown): void {
  if (call() === undefined) throw new Error('A call came to nothing.');
}

/** Microseconds. */
export function once(call: () => unknown): number {
  const started = performance.now();
  call();
  return (performance.now() - started) * 1000;
}
