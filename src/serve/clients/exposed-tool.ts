import { compileSchema, providerSafeSchema, schemaWithout } from '../../internal.js';
import type { CatalogueTool, Provider } from '../../internal.js';
import { isObject, jsonText, quote, withMember } from '../../json/index.js';

/** What may make a tool differ from what its server wrote. */
interface Exposure {
  readonly provider?: Provider | undefined;
  /** Arguments that are not the model's. */
  readonly fixed?: readonly string[];
  /** Whether its answers may be shortened, so that no schema holds for them. */
  readonly isShortened?: boolean;
}

/** A tool as the client gets it. */
interface ExposedTool {
  readonly text: string;
  /** What differs from what the server wrote, and why. */
  readonly differences: readonly string[];
}

/**
 * The text of a tool: the server's own, to the character. It differs
 * - in the name, where several servers are joined;
 * - in what would make a client lose the whole list. Clients built on the official SDK read all tools with one schema,
 *   and throw the list away where one of them has no `type: "object"` at its root, `null` for a description, or a
 *   property whose schema is `true`;
 * - in the input schema, where the user fixed arguments, or asked for what a provider takes;
 * - in its output schema, which is left out where answers are shortened.
 */
export function exposedTool(tool: CatalogueTool, name: string, exposure: Exposure = {}): ExposedTool {
  const { provider, fixed = [], isShortened = false } = exposure;
  const differences: string[] = [];
  let text = tool.text?.definition ?? jsonText(tool.definition);
  if (name !== tool.name) text = withMember(text, ['name'], JSON.stringify(name));
  const change = (path: readonly string[], value: unknown, why: string) => {
    text = withMember(text, path, value === undefined ? undefined : jsonText(value));
    differences.push(why);
  };
  const { definition, inputSchema } = tool;
  for (const [field, isRight] of Object.entries(optionalFields))
    if (definition[field] !== undefined && !isRight(definition[field]))
      change([field], undefined, `told without its ${field}, which clients cannot read`);
  if (isShortened && definition['outputSchema'] !== undefined)
    change(['outputSchema'], undefined, 'told without its outputSchema, as its answers may be shortened');
  const own = schemaWithout(inputSchema, fixed);
  if (own !== inputSchema) {
    const left = fixed.reduce(
      (current, each) => withMember(current, ['inputSchema', 'properties', each], undefined),
      text,
    );
    const { required } = own;
    const isSame = required === inputSchema['required'];
    text = isSame ? left : withMember(left, ['inputSchema', 'required'], jsonText(required));
    differences.push(`told without ${fixed.map((each) => quote(each)).join(', ')}`);
  }
  const safe = provider ? providerSafeSchema(own, provider) : own;
  if (safe !== own) change(['inputSchema'], safe, `told as ${provider} takes it`);
  for (const { path, value, why } of rootChanges(safe)) change(['inputSchema', ...path], value, why);
  return { text, differences };
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/** What the official SDK's schema of a tool asks of the fields that may be missing (1.x and 2.x). */
const optionalFields: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  description: isText,
  annotations: (value) =>
    isObject(value) &&
    (value['title'] === undefined || isText(value['title'])) &&
    hints.every((hint) => value[hint] === undefined || typeof value[hint] === 'boolean'),
  outputSchema: (value) =>
    isObject(value) &&
    value['type'] === 'object' &&
    [...rootChanges(value)].length === 0 &&
    // SDK 1.x compiles it while it lists.
    !compileSchema(value).diagnostics.some(({ severity }) => severity === 'error'),
  icons: (value) => Array.isArray(value) && value.every(isIcon),
  execution: (value) =>
    isObject(value) && [undefined, 'required', 'optional', 'forbidden'].some((known) => known === value['taskSupport']),
  _meta: isObject,
};

interface Change {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly why: string;
}

/** The least that has to differ at the root of a schema for the official SDK to read it. */
function* rootChanges({ type, properties, required }: Readonly<Record<string, unknown>>): Generator<Change> {
  if (type !== 'object') yield { path: ['type'], value: 'object', why: 'told with "type": "object" at its root' };
  if (properties !== undefined && !isObject(properties))
    yield { path: ['properties'], value: undefined, why: 'told without its properties, which are no object' };
  if (required !== undefined && !(Array.isArray(required) && required.every(isText)))
    yield { path: ['required'], value: undefined, why: 'told without its required, which is no list of names' };
  for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
    if (typeof schema === 'object' && schema !== null) continue;
    const value = schema === false ? { not: {} } : {};
    yield { path: ['properties', name], value, why: `told with an object for the schema of ${quote(name)}` };
  }
}

function isIcon(icon: unknown): boolean {
  if (!isObject(icon) || !isText(icon['src'])) return false;
  const { mimeType, sizes, theme } = icon;
  return (
    (mimeType === undefined || isText(mimeType)) &&
    (sizes === undefined || (Array.isArray(sizes) && sizes.every(isText))) &&
    [undefined, 'light', 'dark'].some((known) => known === theme)
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
