import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { isObject, member, pointerTokens } from '../json/index.js';
import { repairArguments, type RepairChoice } from '../repair/index.js';
import { compileSchema, type Violation } from '../schema/index.js';
import { modelSchema } from './model-schema.js';

/** How a Standard Schema validates. */
export interface StandardSchemaOptions {
  /** Which malformed arguments are repaired before all are checked. Default: `safe`. */
  repairs?: RepairChoice;
  /** If true, a value that breaks its `format` is invalid. Default: false. */
  assertFormats?: boolean;
  /** For arguments that cannot be checked: `refuse` or `allow`. Default: `refuse`. */
  whenUndetermined?: 'refuse' | 'allow';
}

type Arguments = Record<string, unknown>;

/** A tool's input schema as Standard Schema and Standard JSON Schema, version 1 of both. */
export interface StandardToolSchema {
  /** `validate` repairs and is synchronous; `jsonSchema` gives the server's own schema. */
  readonly '~standard': Omit<StandardSchemaV1.Props<Arguments>, 'validate'> & {
    readonly validate: (value: unknown) => StandardSchemaV1.Result<Arguments>;
    readonly jsonSchema: StandardJSONSchemaV1.Converter;
  };
}

/**
 * A tool's input schema for any framework that takes a Standard Schema: validated by this library, repair included; its
 * JSON Schema is the one that the server wrote, whatever target is asked for.
 *
 * ```ts
 * const tool = { name: 'search', inputSchema: { type: 'object', properties: { limit: { type: 'integer' } } } };
 * standardSchema(tool)['~standard'].validate({ limit: '10' }); // => { value: { limit: 10 } }
 * ```
 *
 * @see https://standardschema.dev
 */
export function standardSchema(
  tool: { readonly inputSchema: Readonly<Record<string, unknown>> },
  options: StandardSchemaOptions = {},
): StandardToolSchema {
  // Hosts write on it: the AI SDK adds `additionalProperties`, and the original is frozen.
  const copy = () => structuredClone(modelSchema(tool));
  return {
    '~standard': {
      version: 1,
      vendor: 'mcp-verbatim',
      validate: (value) => validate(tool.inputSchema, value ?? {}, options),
      jsonSchema: { input: copy, output: copy },
    },
  };
}

function validate(schema: unknown, value: unknown, options: StandardSchemaOptions): StandardSchemaV1.Result<Arguments> {
  const { assertFormats = false, repairs, whenUndetermined } = options;
  const { arguments: repaired, evaluation } = repairArguments(compileSchema(schema), value, repairs, { assertFormats });
  const violations = evaluation.outcome === 'invalid' ? evaluation.violations : [];
  if (violations.length > 0) return { issues: violations.map((violation) => issueOf(violation, repaired)) };
  if (evaluation.outcome === 'undetermined' && whenUndetermined !== 'allow')
    return { issues: [{ message: `The arguments could not be checked. ${evaluation.message}`, path: [] }] };
  // Whatever a schema without `type` accepts, the protocol's arguments are an object (MCP, tools/call).
  if (!isObject(repaired)) return { issues: [{ message: 'The arguments must be an object.', path: [] }] };
  return { value: repaired };
}

/** The issue's path ends at the missing or unexpected property, so that forms find the field. */
function issueOf({ message, instanceLocation, property }: Violation, args: unknown): StandardSchemaV1.Issue {
  const path: PropertyKey[] = [];
  let value = args;
  for (const token of pointerTokens(instanceLocation)) {
    path.push(Array.isArray(value) ? Number(token) : token);
    value = member(value, token);
  }
  return { message, path: property === undefined ? path : [...path, property] };
}
