import {
  compileSchema,
  cutSchema,
  definitionText,
  evaluate,
  saysTheSame,
  schemaWithout,
  sentSchema,
  shortenedAnswers,
} from '../../internal.js';
import type { Api, CatalogueTool, Provider } from '../../internal.js';
import {
  isList,
  isObject,
  jsonPointer,
  JsonScanner,
  jsonText,
  memberText,
  parseJson,
  quote,
  valueAt,
  withMember,
  type JsonObject,
} from '../../json/index.js';

/**
 * The text of a tool: the server's own, to the character, with these exceptions: the name among several servers, fixed
 * arguments, keywords that a provider rejects, the output schema of results that may be shortened, and defects that
 * would cost a client the whole list. The official SDK reads all tools with one schema, which fails if one of them has
 * no `type: "object"` at its root, `null` for a description, or a property whose schema is `true`.
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

/** The values that the official SDK accepts in optional fields (1.x and 2.x). */
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

export function textResult(text: string, isError: boolean): string {
  return JSON.stringify({ content: [{ type: 'text', text }], ...(isError && { isError }) });
}

/**
 * A result whose texts together have a maximum length. Longer structured content becomes a text, unless a text says the
 * same: a part of an object would break its schema.
 */
export function shortenedResult(resultText: string, maxLength = Infinity): string {
  if (resultText.length <= maxLength) return resultText;
  const result = parseJson(resultText);
  if (!isObject(result) || !isList(result['content'])) return resultText;
  const { content, structuredContent } = result;
  const texts = content.map(textOf);
  const structured = memberText(resultText, ['structuredContent']) ?? '';
  if (texts.join('').length <= maxLength && structured.length <= maxLength) return resultText;
  const isRepeated = structured === '' || texts.some((text) => saysTheSame(text, structuredContent, structured));
  const blocks = isRepeated ? content : [...content, { type: 'text', text: structured }];
  const short = shortenedAnswers(blocks.map(textOf), maxLength);
  const written = new JsonScanner(memberText(resultText, ['content']) ?? '[]');
  const json = [...written.items(written.root())].map((block) => written.slice(block));
  const kept = blocks.flatMap((block, index) => {
    const own = json[index] ?? jsonText(block);
    if (textOf(block) === '') return [own];
    const text = short[index] ?? '';
    return text === '' ? [] : [withMember(own, pathOfText(block), JSON.stringify(text))];
  });
  return withMember(withMember(resultText, ['structuredContent'], undefined), ['content'], `[${kept.join(',')}]`);
}

function textOf(block: unknown): string {
  const text = valueAt(block, jsonPointer(pathOfText(block)));
  return typeof text === 'string' ? text : '';
}

function pathOfText(block: unknown): readonly string[] {
  return isObject(block) && isObject(block['resource']) ? ['resource', 'text'] : ['text'];
}
