import { pointerTokens } from '../json/index.js';
import type { CatalogueTool } from '../mcp/index.js';
import { checkArguments, InvalidArgumentsError, modelSchema } from '../tool/index.js';
import type { ToolOptions } from '../tool/index.js';

/** One thing that is wrong, as Standard Schema wants it said. */
export interface StandardIssue {
  readonly message: string;
  /** From the root of the arguments to the value at fault. */
  readonly path: readonly string[];
}

/** A tool's input schema as Standard Schema and Standard JSON Schema, version 1 of both. */
export interface StandardToolSchema {
  /** As the two specifications say: `validate` repairs as well, `jsonSchema` is the server's own. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'mcp-verbatim';
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: Record<string, unknown>; readonly issues?: undefined }
      | { readonly issues: readonly StandardIssue[] };
    readonly jsonSchema: {
      readonly input: (options?: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options?: { readonly target: string }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: Record<string, unknown>; readonly output: Record<string, unknown> };
  };
}

/**
 * A tool's input schema for any framework that takes a Standard Schema: its validation is this library's, repair
 * included, and its JSON Schema is the one that the server wrote, whatever target is asked for.
 *
 * ```ts
 * const tool = { name: 'search', inputSchema: { type: 'object', properties: { limit: { type: 'integer' } } } };
 * standardSchema(tool)['~standard'].validate({ limit: '10' }); // => { value: { limit: 10 } }
 * ```
 *
 * @param options which repairs, and the rest of how arguments are checked
 * @see https://standardschema.dev
 */
export function standardSchema(
  tool: Pick<CatalogueTool, 'name' | 'inputSchema'>,
  options: ToolOptions = {},
): StandardToolSchema {
  const original = () => modelSchema(tool);
  return {
    '~standard': {
      version: 1,
      vendor: 'mcp-verbatim',
      validate: (value) => {
        try {
          return { value: checkArguments(tool, value, options).arguments };
        } catch (error) {
          if (error instanceof InvalidArgumentsError) return { issues: issuesOf(error) };
          throw error;
        }
      },
      jsonSchema: { input: original, output: original },
    },
  };
}

function issuesOf({ violations, message }: InvalidArgumentsError): StandardIssue[] {
  // What could not be decided has a reason and no violation; no issues at all would mean success.
  if (violations.length === 0) return [{ message, path: [] }];
  return violations.map((violation) => ({
    message: violation.message,
    path: pointerTokens(violation.instanceLocation),
  }));
}
