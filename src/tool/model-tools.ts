import type { CatalogueTool } from '../mcp/index.js';
import { grouped, hexOf, jsonText, sha256 } from '../json/index.js';
import { type Api, modelSchema, type Provider, sentSchema } from '../projections/index.js';
import { schemaWithout } from './fixed-arguments.js';

/** A tool as it is sent to a model. */
export interface ModelTool {
  /** Unique among the model's tools, and legal with every provider: `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`. */
  readonly name: string;
  /** The tool's description, or else its title or name. Never empty. */
  readonly description: string;
  /** The input schema with `type: "object"` at its root, without fixed arguments, in a form that `provider` takes. */
  readonly schema: Record<string, unknown>;
  /** If the schema has other names of arguments: gives the model's arguments the server's names. Call it first. */
  readonly argumentsFromModel?: (args: unknown) => unknown;
  /** The tool itself, whose own name the server gets. */
  readonly tool: CatalogueTool;
}

/**
 * True if the server says that the tool changes nothing. Without that statement, a tool is assumed to change something.
 */
export function isReadOnly({ annotations }: Pick<CatalogueTool, 'annotations'>): boolean {
  return annotations?.['readOnlyHint'] === true;
}

/** Constraints on the names and schemas of tools. */
export interface ModelToolsOptions {
  /** Put in front of every name, with an underscore between: `github` makes `github_search`. */
  prefix?: string;
  /** Names that other tools of the same model have already. */
  taken?: Iterable<string>;
  /** Whose tools they are, put in front of a name that is taken: `crm` makes `crm_search`. Default: a hash behind it. */
  owner?: string | undefined;
  /** Names of the arguments that a tool's schema leaves out, as they are not the model's (`ToolOptions.fixed`). */
  fixed?: (tool: CatalogueTool) => Iterable<string>;
  /** The model's provider: schemas that it rejects are given in a form that it takes. Default: none. */
  provider?: Provider | undefined;
  /** The API that the provider is asked by. Default: schemas fit both. */
  api?: Api | undefined;
}

/**
 * Gives tools names that every provider takes. A legal name stays as it is. Others are spelt with legal characters;
 * if that, a limit or another tool makes a name ambiguous, a short hash of the tool's own name is appended, so
 * that a name depends on the tool and not on its place in the list.
 *
 * ```ts
 * const { tools } = readCatalogue([{ name: 'search/people', inputSchema: { type: 'object' } }]);
 * modelTools(tools, { prefix: 'crm' }).map(({ name }) => name); // => ['crm_search_people']
 * ```
 */
export function modelTools(tools: readonly CatalogueTool[], options: ModelToolsOptions = {}): ModelTool[] {
  const prefix = prefixText(options.prefix);
  const taken = new Set(options.taken);
  const owner = prefixText(options.owner);
  const wishes = tools.map(({ name }) => (taken.has(legal(prefix + name)) ? owner : '') + prefix + name);
  const wishers = grouped(wishes, String);
  const names = new Map<number, string>();
  const give = (index: number, name: string) => {
    names.set(index, name);
    taken.add(name);
  };
  // Legal names go first, so that no other name's new spelling takes them.
  for (const [index, wish] of wishes.entries())
    if (isLegal(wish) && wishers.get(wish)?.length === 1 && !taken.has(wish)) give(index, wish);
  const spellers = names.size < tools.length ? grouped(wishes, legal) : undefined;
  for (const [index, wish] of wishes.entries()) {
    if (names.has(index)) continue;
    const isShared = (spellers?.get(legal(wish))?.length ?? 0) > 1;
    give(index, freeName(wish, tools[index], isShared, taken));
  }
  const { provider = [], api } = options;
  return tools.map((tool, index) => {
    const own = schemaWithout(modelSchema(tool), options.fixed?.(tool) ?? []);
    const { schema, argumentsFromModel } = sentSchema(own, provider, api);
    const name = names.get(index) ?? '';
    return { name, description: descriptionOf(tool), schema, tool, ...(argumentsFromModel && { argumentsFromModel }) };
  });
}

/**
 * Prefixes of servers, changed so that no name with one can be a name with another, whichever servers are there: the tool
 * `hub_search` of `git` is `git__hub_search` if another server is `git_hub`. Equal prefixes stay equal.
 */
export function distinctPrefixes(prefixes: readonly string[]): string[] {
  const spelt = prefixes.map((prefix) => legal(prefixText(prefix)));
  return prefixes.map((prefix, index) => {
    const others = spelt.filter((_, at) => prefixes[at] !== prefix);
    const own = spelt[index] ?? '';
    let distinct = own;
    if (others.some((other) => stem(other) === stem(own))) distinct = `${withSuffix(own, hash(prefix))}_`;
    while (others.some((other) => other.startsWith(distinct))) distinct += '_';
    return prefix === '' || distinct === own ? prefix : distinct;
  });
}

function stem(prefix: string): string {
  return prefix.replace(/[_-]+$/, '');
}

/**
 * The limit that every provider accepts: OpenAI takes 64 of `[a-zA-Z0-9_-]`; Gemini takes no digit and no dash in
 * front.
 */
const maxLength = 64;

function isLegal(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_-]*$/.test(name) && name.length <= maxLength;
}

function freeName(
  wish: string,
  tool: CatalogueTool | undefined,
  isShared: boolean,
  taken: ReadonlySet<string>,
): string {
  const spelt = legal(wish);
  if (!isShared && spelt !== unspeakable && isLegal(spelt) && !taken.has(spelt)) return spelt;
  for (const source of [wish, jsonText([wish, tool?.definition])]) {
    const name = withSuffix(spelt, hash(source));
    if (!taken.has(name)) return name;
  }
  for (let number = 2; ; number++) {
    const name = withSuffix(spelt, String(number));
    if (!taken.has(name)) return name;
  }
}

const unspeakable = 'tool';

/** Accents are dropped, everything else that is not legal becomes one underscore. */
function legal(name: string): string {
  const ascii = name.normalize('NFKD').replace(/\p{M}+/gu, '');
  const spelt = ascii.replace(/[^a-zA-Z0-9_-]+/g, '_');
  const trimmed = spelt === ascii ? spelt : spelt.replace(/^_+|_+$/g, '');
  if (trimmed === '') return unspeakable;
  return /^[a-zA-Z_]/.test(trimmed) ? trimmed : `_${trimmed}`;
}

function withSuffix(name: string, suffix: string): string {
  return `${stem(name.slice(0, maxLength - suffix.length - 1))}_${suffix}`;
}

function hash(text: string): string {
  return hexOf(sha256(text)).slice(0, 6);
}

function prefixText(prefix = ''): string {
  return prefix === '' || /[_-]$/.test(prefix) ? prefix : `${prefix}_`;
}

function descriptionOf(tool: CatalogueTool): string {
  const texts = [tool.description, tool.title, tool.annotations?.['title'], tool.name];
  return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? tool.name;
}
