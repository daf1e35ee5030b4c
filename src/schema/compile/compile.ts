import { ConfigurationError } from '../../json/index.js';
import type { Option } from '../../json/index.js';
import { briefJson, checkOptions, isObject, isSchema, oneOf, option, quote, WorkBudget } from '../../json/index.js';
import { dialectByUri, type DialectDefinition, dialects } from '../dialects/index.js';
import type { Diagnostic, Dialect, SchemaNode } from '../keywords/keyword.js';
import { bindKeywords, note, type Report } from './bind.js';
import type { PlacedNode } from './node.js';
import { Registry } from './registry.js';

/** A schema, ready to be evaluated. Its defects and oddities are found when `diagnostics` is first read. */
export interface CompiledSchema {
  /** The very schema that was given. */
  readonly schema: unknown;
  /** As its `$schema` says, or the default. */
  readonly dialect: Dialect;
  readonly diagnostics: readonly Diagnostic[];
}

/** Options for compiling a schema. */
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
 * compiled. Malformed keywords are ignored, and reported in `diagnostics`.
 *
 * @throws TypeError if the schema is neither an object nor a boolean, or an option is wrong
 */
export function compileSchema(schema: unknown, options: CompileOptions = defaults): CompiledSchema {
  if (!isSchema(schema)) {
    const hint = typeof schema === 'string' ? ' Parse it first: JSON.parse(text).' : '';
    throw new ConfigurationError(`A schema is an object or a boolean; received ${briefJson(schema, 60)}.${hint}`);
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
  documents: option(
    'an object of schemas by their URIs',
    (value) => isObject(value) && Object.values(value).every(isSchema),
  ),
  defaultDialect: oneOf(...Object.keys(dialects)),
};

export function rootOf(compiled: CompiledSchema): SchemaNode {
  if (compiled instanceof Compiled) return compiled.registry.main.root;
  // A schema compiled by another copy of this library, in another bundle for example, is compiled anew.
  const foreign: unknown = compiled;
  if (isObject(foreign) && ['schema', 'dialect', 'diagnostics'].every((name) => name in foreign))
    return rootOf(compileSchema(foreign['schema']));
  throw new ConfigurationError(
    'A schema must be compiled before it is evaluated: evaluate(compileSchema(schema), instance).',
  );
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

const diagnosticLimit = 100;

/** Schemas looked at, and how long; a schema that takes more is reported as too large. */
const schemaLimit = 20_000;
const msLimit = 300;

/** Steps that one schema counts for, so that the clock is looked at every few schemas. */
const schemaSteps = 64;

function diagnose(registry: Registry): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  let more = 0;
  const report: Report = (make) => {
    if (found.length < diagnosticLimit) found.push(make());
    else more++;
  };
  const { root } = registry.main;
  reportUnknownDialect(root, registry, report);
  const waiting: PlacedNode[] = [root];
  const budget = new WorkBudget({ steps: Infinity, ms: msLimit });
  let seen = 0;
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (++seen > schemaLimit || !budget.consume(schemaSteps)) {
      const message = `The schema is too large to examine as a whole: only ${seen - 1} of its subschemas were examined.`;
      report(() => note('schema-too-large', '#', message));
      break;
    }
    bindKeywords(node, registry, report);
    const children: PlacedNode[] = [];
    for (const child of node.subschemas()) {
      if (seen + children.length > schemaLimit) break;
      // By its identifier it may belong to another resource.
      children.push(child.within(child.resource.of(child.schema)));
    }
    for (const child of children.reverse()) waiting.push(child);
  }
  if (more > 0) found.push(note('more', '#', `${more} more diagnostics are not listed.`));
  return found;
}

function reportUnknownDialect(root: PlacedNode, registry: Registry, report: Report): void {
  const declared = isObject(root.schema) ? root.schema['$schema'] : undefined;
  if (declared === undefined) return;
  if (typeof declared === 'string' && (dialectByUri(declared) ?? registry.dialectNamed(declared))) return;
  const name = typeof declared === 'string' ? quote(declared) : 'a value that is not a string';
  const message = `"$schema" is ${name}, which is not a known dialect; the schema is read as ${root.resource.dialect.name}.`;
  report(() => note('unknown-dialect', '#/$schema', message));
}
