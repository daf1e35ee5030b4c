import { isList, isObject, jsonText, quote, withMember, type JsonObject } from '../json/index.js';
import { definitionText, type CatalogueTool } from '../mcp/index.js';
import { cutSchema, sentSchema, type Api, type Provider } from '../projections/index.js';
import { compileSchema, evaluate } from '../schema/index.js';
import { schemaWithout } from './fixed-arguments.js';

/**
 * Returns the text of a tool for MCP clients: the server's own, to the character, except for the name among several
 * servers, fixed arguments, a provider's subset, the output schema of results that may be shortened, and parts that
 * would cost a client the whole list. The official SDK fails on all tools if one has no `type: "object"` at its root,
 * `null` for a description, or a property whose schema is `true`.
 */
export function exposedTool(
  tool: CatalogueTool,
  name: string,
  {
    provider,
    api,
    fixed = [],
    isShortened = false,
  }: {
    provider?: Provider | undefined;
    api?: Api | undefined;
    fixed?: readonly string[];
    isShortened?: boolean;
  } = {},
): { readonly text: string; readonly differences: readonly string[] } {
  const { definition, inputSchema } = tool;
  const differences: string[] = [];
  let text = definitionText(tool);
  if (name !== tool.name) text = withMember(text, ['name'], JSON.stringify(name));
  const change = (path: readonly string[], value: unknown, why?: string) => {
    text = withMember(text, path, value === undefined ? undefined : jsonText(value));
    if (why !== undefined) differences.push(`exposed ${why}`);
  };
  for (const field of Object.keys(optionalFields))
    if (field in definition && !isReadable(field, definition[field]))
      change([field], undefined, `without its ${field}, which clients cannot read`);
  if (isShortened && 'outputSchema' in definition)
    change(['outputSchema'], undefined, 'without its outputSchema, as its results may be shortened');
  const own = schemaWithout(inputSchema, fixed);
  if (own !== inputSchema) {
    for (const each of fixed) change(['inputSchema', 'properties', each], undefined, `without ${quote(each)}`);
    if (own['required'] !== inputSchema['required']) change(['inputSchema', 'required'], own['required']);
  }
  const { schema: safe, isCut } = sentSchema(own, provider ?? [], api);
  if (safe !== own) change(['inputSchema'], safe, `as ${provider} takes it`);
  if (isCut) differences.push(cutSchema);
  for (const [path, value, why] of rootChanges(safe)) change(['inputSchema', ...path], value, why);
  return { text, differences };
}

const string = { type: 'string' };
const boolean = { type: 'boolean' };
const hints = { readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint: boolean };
const icon = {
  src: string,
  mimeType: string,
  sizes: { type: 'array', items: string },
  theme: { enum: ['light', 'dark'] },
};

/** The schemas of the official SDK (1.x and 2.x) for optional fields. */
const optionalFields: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  title: string,
  description: string,
  annotations: { type: 'object', properties: { title: string, ...hints } },
  outputSchema: { type: 'object' },
  icons: { type: 'array', items: { type: 'object', required: ['src'], properties: icon } },
  execution: { type: 'object', properties: { taskSupport: { enum: ['required', 'optional', 'forbidden'] } } },
  _meta: { type: 'object' },
};

function isReadable(field: string, value: unknown): boolean {
  if (evaluate(compileSchema(optionalFields[field]), value).outcome !== 'valid') return false;
  if (field !== 'outputSchema' || !isObject(value)) return true;
  // SDK 1.x compiles it while it lists.
  const isBroken = compileSchema(value).diagnostics.some(({ severity }) => severity === 'error');
  return !isBroken && [...rootChanges(value)].length === 0;
}

/** The least that has to differ at the root of a schema for the official SDK to read it. */
function* rootChanges({
  type,
  properties,
  required,
}: JsonObject): Generator<[path: readonly string[], value: unknown, why: string]> {
  if (type !== 'object') yield [['type'], 'object', 'with "type": "object" at its root'];
  if (properties !== undefined && !isObject(properties))
    yield [['properties'], undefined, 'without its properties, which are not an object'];
  if (required !== undefined && !(isList(required) && required.every((name) => typeof name === 'string')))
    yield [['required'], undefined, 'without its required, which is not a list of names'];
  for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
    if (typeof schema === 'object' && schema !== null) continue;
    const value = schema === false ? { not: {} } : {};
    yield [['properties', name], value, `with an object for the schema of ${quote(name)}`];
  }
}
