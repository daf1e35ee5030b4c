import { ContentCache } from './cache.js';
import { diagnose } from './diagnose.js';
import type { Diagnostic } from './diagnostic.js';
import { type Dialect, dialects } from './dialects/index.js';
import { Registry } from './registry.js';

/** A schema, ready to be evaluated. What is wrong or odd in it is found when `diagnostics` is first read. */
export interface CompiledSchema {
  /** The very schema that was given. */
  readonly schema: unknown;
  /** As its `$schema` says, or the default. */
  readonly dialect: Dialect;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a schema is compiled with. */
export interface CompileOptions {
  /** Documents that references may lead to, by absolute URI. Nothing else is ever loaded. */
  readonly documents?: Readonly<Record<string, unknown>>;
  /** The dialect of a schema without `$schema`, or with an unknown one; default 2020-12. */
  readonly defaultDialect?: Dialect;
}

/**
 * Compiles a schema; its parts are worked out when an evaluation first reaches them.
 *
 * Schemas are cached by identity, and by content within a bound, so compiling the same one again is free. A schema
 * must not be changed after it was compiled. Never throws: what is malformed is ignored where it stands and
 * reported in `diagnostics`.
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  const { documents, defaultDialect = '2020-12' } = options;
  if (documents) return new Compiled(schema, new Registry(schema, documents, dialects[defaultDialect]));
  if (typeof schema !== 'object' || schema === null) return compileAlone(schema, defaultDialect);
  const known = byIdentity[defaultDialect].get(schema);
  if (known) return known;
  const registry = byContent.find(schema, defaultDialect, (copy) => compileAlone(copy, defaultDialect).registry);
  const compiled = registry ? new Compiled(schema, registry) : compileAlone(schema, defaultDialect);
  byIdentity[defaultDialect].set(schema, compiled);
  return compiled;
}

/** What `compileSchema` made of the schema, for the evaluation. */
export function registryOf(compiled: CompiledSchema): Registry {
  return compiled instanceof Compiled ? compiled.registry : registryOf(compileSchema(compiled.schema));
}

const byIdentity: Readonly<Record<Dialect, WeakMap<object, Compiled>>> = {
  'draft-04': new WeakMap(),
  'draft-06': new WeakMap(),
  'draft-07': new WeakMap(),
  '2019-09': new WeakMap(),
  '2020-12': new WeakMap(),
};

/** The tools of a dozen of servers: 344 is the most that one has, 84 KB the longest schema seen. */
const byContent = new ContentCache<Registry>({ entries: 1000, entryLength: 250_000, totalLength: 4_000_000 });

function compileAlone(schema: unknown, dialect: Dialect): Compiled {
  return new Compiled(schema, new Registry(schema, undefined, dialects[dialect]));
}

class Compiled implements CompiledSchema {
  private found: readonly Diagnostic[] | undefined;

  constructor(
    readonly schema: unknown,
    readonly registry: Registry,
  ) {}

  get dialect(): Dialect {
    return this.registry.main.dialect.name;
  }

  get diagnostics(): readonly Diagnostic[] {
    return (this.found ??= diagnose(this.registry));
  }
}
