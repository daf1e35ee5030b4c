import { diagnose } from './diagnose.js';
import type { Diagnostic } from './diagnostic.js';
import { type Dialect, dialects } from './dialects/index.js';
import { Registry } from './registry.js';
import { remember, recall } from './cache.js';

/** A schema, ready to be evaluated. What is wrong or odd in it is found when `diagnostics` is first read. */
export interface CompiledSchema {
  readonly schema: unknown;
  readonly dialect: Dialect;
  readonly diagnostics: readonly Diagnostic[];
}

export interface CompileOptions {
  /** Documents that references may lead to, by absolute URI. Nothing else is ever loaded. */
  readonly documents?: Readonly<Record<string, unknown>>;
  /** The dialect of a schema without `$schema`, or with an unknown one; default 2020-12. */
  readonly defaultDialect?: Dialect;
}

/**
 * Compiles a schema. The same schema, or one of the same text, is compiled once as long as it is cached; it must
 * not be changed afterwards.
 *
 * Never throws: what is malformed is ignored where it stands and reported in `diagnostics`.
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  const { documents, defaultDialect = '2020-12' } = options;
  if (documents) return new Compiled(schema, new Registry(schema, documents, dialects[defaultDialect]));
  const known = recall(schema, defaultDialect);
  if (known) return known;
  const compiled = new Compiled(schema, new Registry(schema, {}, dialects[defaultDialect]));
  remember(schema, defaultDialect, compiled);
  return compiled;
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

/** What `compileSchema` made of the schema, for the evaluation. */
export function registryOf(compiled: CompiledSchema): Registry {
  return compiled instanceof Compiled ? compiled.registry : registryOf(compileSchema(compiled.schema));
}
