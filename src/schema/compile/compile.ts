import { briefJson, checkOptions, isObject, isSchema, oneOf, type Option } from '../../json/index.js';
import { type DialectDefinition, dialects } from '../dialects/index.js';
import type { Diagnostic, Dialect, SchemaNode } from '../keywords/keyword.js';
import { bindKeywords } from './bind.js';
import { diagnose } from './diagnose.js';
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
 * Schemas are cached by identity, so compiling the same one again is free. A schema must not be changed after it was
 * compiled. What is malformed is ignored where it stands and reported in `diagnostics`.
 *
 * @throws TypeError where the schema is neither an object nor a boolean, or an option is wrong
 */
export function compileSchema(schema: unknown, options: CompileOptions = defaults): CompiledSchema {
  // It would accept everything.
  if (!isSchema(schema)) {
    const hint = typeof schema === 'string' ? ' Parse it first: JSON.parse(text).' : '';
    throw new TypeError(`A schema is an object or a boolean; received ${briefJson(schema, 60)}.${hint}`);
  }
  if (options !== defaults) checkOptions('compileSchema', options, compileOptions);
  const { documents, defaultDialect = '2020-12' } = options;
  const dialect = dialects[defaultDialect];
  if (documents || typeof schema === 'boolean') return new Compiled(schema, documents, dialect);
  const known = byIdentity.get(schema) ?? new Map<Dialect, Compiled>();
  const compiled = known.get(defaultDialect) ?? new Compiled(schema, undefined, dialect);
  byIdentity.set(schema, known.set(defaultDialect, compiled));
  return compiled;
}

const defaults: CompileOptions = {};

const compileOptions: Readonly<Record<keyof CompileOptions, Option>> = {
  documents: {
    words: 'an object of schemas by their URIs',
    accepts: (value) => isObject(value) && Object.values(value).every(isSchema),
  },
  defaultDialect: oneOf(...Object.keys(dialects)),
};

export function rootOf(compiled: CompiledSchema): SchemaNode {
  return registryOf(compiled).main.root;
}

function registryOf(compiled: CompiledSchema): Registry {
  if (compiled instanceof Compiled) return compiled.registry;
  // What another copy of this library has compiled, say the one in another bundle, is compiled anew.
  const foreign: unknown = compiled;
  if (isObject(foreign) && ['schema', 'dialect', 'diagnostics'].every((name) => name in foreign)) {
    return registryOf(compileSchema(foreign['schema']));
  }
  throw new TypeError('A schema must be compiled before it is evaluated: evaluate(compileSchema(schema), instance).');
}

const byIdentity = new WeakMap<object, Map<Dialect, Compiled>>();

class Compiled implements CompiledSchema {
  readonly registry: Registry;
  #diagnostics: readonly Diagnostic[] | undefined;

  constructor(
    readonly schema: unknown,
    documents: CompileOptions['documents'],
    dialect: DialectDefinition,
  ) {
    this.registry = new Registry(schema, documents, dialect, bindKeywords);
  }

  get dialect(): Dialect {
    return this.registry.main.dialect.name;
  }

  get diagnostics(): readonly Diagnostic[] {
    return (this.#diagnostics ??= diagnose(this.registry));
  }
}
