import { startReplayServer, type ReplayServer } from './replay.js';

/** One odd entry of a tools/list answer, and its expected treatment. */
export interface OddTool {
  what: string;
  /** The JSON text: some entries cannot be written as an object literal. */
  json: string;
  skipped?: string;
  /** Skipped only if calls repeat arguments as HTTP headers (2026-07-28). */
  latestHttp?: boolean;
  notes?: readonly string[];
}

const plain = '{"type":"object","properties":{}}';
const named = (name: string, rest: string) => `{"name":"${name}",${rest}}`;

/** Every entry that makes other clients drop a list, or some of its tools. */
export const oddTools: readonly OddTool[] = [
  { what: 'null', json: 'null', skipped: 'not-an-object' },
  { what: 'a string', json: '"echo"', skipped: 'not-an-object' },
  { what: 'an array', json: '[]', skipped: 'not-an-object' },
  { what: 'no name', json: `{"inputSchema":${plain}}`, skipped: 'no-name' },
  { what: 'a number as name', json: `{"name":7,"inputSchema":${plain}}`, skipped: 'no-name' },
  { what: 'an empty name', json: named('', `"inputSchema":${plain}`), skipped: 'no-name' },
  { what: 'a blank name', json: named(' ', `"inputSchema":${plain}`), skipped: 'no-name' },
  { what: 'no inputSchema', json: named('no_schema', '"description":"?"'), skipped: 'input-schema-missing' },
  {
    what: 'inputSchema null',
    json: named('null_schema', '"inputSchema":null'),
    skipped: 'input-schema-not-an-object',
  },
  {
    what: 'inputSchema true',
    json: named('true_schema', '"inputSchema":true'),
    skipped: 'input-schema-not-an-object',
  },
  {
    what: 'inputSchema as text',
    json: named('text_schema', '"inputSchema":"{}"'),
    skipped: 'input-schema-not-an-object',
  },
  {
    what: 'inputSchema as a list',
    json: named('list_schema', '"inputSchema":[]'),
    skipped: 'input-schema-not-an-object',
  },
  {
    what: 'a serialised Zod 3 object',
    json: named(
      'zod3',
      '"inputSchema":{"_def":{"unknownKeys":"strip","catchall":{"_def":{"typeName":"ZodNever"}},"typeName":"ZodObject"},"~standard":{"version":1,"vendor":"zod"},"_cached":null}',
    ),
    skipped: 'input-schema-is-zod',
  },
  {
    what: 'a serialised Zod 4 object',
    json: named(
      'zod4',
      '"inputSchema":{"~standard":{"version":1,"vendor":"zod"},"def":{"type":"object","shape":{}},"type":"object"}',
    ),
    skipped: 'input-schema-is-zod',
  },
  {
    what: 'a serialised Zod shape',
    json: named('zod_shape', '"inputSchema":{"city":{"_def":{"checks":[],"typeName":"ZodString","coerce":false}}}'),
    skipped: 'input-schema-is-zod',
  },
  {
    what: 'a root of type string',
    json: named('string_root', '"inputSchema":{"type":"string"}'),
    skipped: 'root-type',
  },
  {
    what: 'a root of type array',
    json: named('array_root', '"inputSchema":{"type":"array","items":{}}'),
    skipped: 'root-type',
  },
  {
    what: 'a root type without object',
    json: named('list_root', '"inputSchema":{"type":["string","null"]}'),
    skipped: 'root-type',
  },
  { what: 'a root type of null', json: named('null_root', '"inputSchema":{"type":null}'), skipped: 'root-type' },
  {
    what: 'a name that is taken',
    json: named('plain', '"description":"second","inputSchema":{"type":"object","required":["x"]}'),
    skipped: 'duplicate-name',
  },
  {
    what: 'x-mcp-header on a number',
    json: named(
      'number_header',
      '"inputSchema":{"type":"object","properties":{"n":{"type":"number","x-mcp-header":"N"}}}',
    ),
    skipped: 'invalid-x-mcp-header',
    latestHttp: true,
  },

  {
    what: 'a description of null',
    json: named('null_description', `"description":null,"inputSchema":${plain}`),
    notes: ['malformed-description'],
  },
  {
    what: 'a title that is a number',
    json: named('number_title', `"title":1,"inputSchema":${plain}`),
    notes: ['malformed-title'],
  },
  {
    what: 'annotations of null',
    json: named('null_annotations', `"annotations":null,"inputSchema":${plain}`),
    notes: ['malformed-annotations'],
  },
  {
    what: 'an outputSchema of null',
    json: named('null_output', `"outputSchema":null,"inputSchema":${plain}`),
    notes: ['malformed-output-schema'],
  },
  {
    what: 'an outputSchema that nobody can compile',
    json: named(
      'bad_output',
      `"outputSchema":{"type":"object","properties":{"a":{"$ref":"#/nowhere"}}},"inputSchema":${plain}`,
    ),
    notes: [],
  },
  {
    what: 'a root without type',
    json: named('typeless', '"inputSchema":{"properties":{"a":{"type":"string"}}}'),
    notes: ['root-without-type'],
  },
  {
    what: 'nothing but $schema',
    json: named('only_schema', '"inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#"}'),
    notes: ['root-without-type'],
  },
  {
    what: 'a root that may be null',
    json: named('nullable_root', '"inputSchema":{"type":["object","null"]}'),
    notes: ['root-type-list'],
  },
  {
    what: 'a property schema of true',
    json: named('true_property', '"inputSchema":{"type":"object","properties":{"any":true}}'),
    notes: [],
  },
  {
    what: 'required: null',
    json: named('null_required', '"inputSchema":{"type":"object","required":null}'),
    notes: ['malformed-keyword'],
  },
  {
    what: 'properties: null',
    json: named('null_properties', '"inputSchema":{"type":"object","properties":null}'),
    notes: ['malformed-keyword'],
  },
  {
    what: 'a pattern that JavaScript cannot parse',
    json: named('bad_pattern', '"inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"(?<!"}}}'),
    notes: ['unparsable-pattern'],
  },
  {
    what: 'a keyword that nobody knows',
    json: named('unknown_keyword', '"inputSchema":{"type":"object","properties":{"a":{"type":"string","sparkle":1}}}'),
    notes: ['unknown-keyword'],
  },
  {
    what: 'a format that nobody knows',
    json: named(
      'unknown_format',
      '"inputSchema":{"type":"object","properties":{"a":{"type":"string","format":"sparkling"}}}',
    ),
    notes: ['unknown-format'],
  },
  {
    what: 'a reference that leads nowhere',
    json: named('dangling', '"inputSchema":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/A"}}}'),
    notes: ['unresolved-reference'],
  },
  {
    what: 'a dialect that nobody knows',
    json: named('dialect', '"inputSchema":{"$schema":"https://example.com/dialect","type":"object"}'),
    notes: ['unknown-dialect'],
  },
  {
    what: 'a property named __proto__',
    json: named('proto', '"inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
    notes: [],
  },
  {
    what: 'fields that nobody knows',
    json: named('future', `"inputSchema":${plain},"execution":{"taskSupport":"optional"},"x-vendor":{"deep":[1]}`),
    notes: [],
  },
  {
    what: 'a name with spaces and accents',
    json: named('Trouver une ville à côté', `"inputSchema":${plain}`),
    notes: ['unusual-name'],
  },
];

/** The line of a tools/list answer: a plain tool, then all the odd ones. */
export const oddLine = `{"jsonrpc":"2.0","id":1,"result":{"tools":[${[named('plain', `"inputSchema":${plain}`), ...oddTools.map(({ json }) => json)].join(',')}]}}`;

/** A server over streamable HTTP, at `url('odd')`, whose list holds all of {@link oddTools}. */
export function startOddServer(): Promise<ReplayServer> {
  return startReplayServer({ odd: [oddLine] });
}
