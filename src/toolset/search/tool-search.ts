import { counted, cut, isObject, jsonText, namesNear, quote, shortened } from '../../json/index.js';
import { signature } from '../../projections/index.js';
import { checkArguments, InvalidArgumentsError, type ModelTool, type ModelToolsOptions } from '../../tool/index.js';
import { searchIn } from './search.js';
import { nameShown, threeTools, usualResults } from './own-tools.js';

/**
 * How a model finds tools: `off` exposes all tools, `on` exposes tools that search them, and `auto` does so if all
 * tools would take more than 5,000 tokens.
 */
export type ToolSearchMode = 'off' | 'on' | 'auto';

/** Above so many tokens, `auto` has a model search. */
export const manyTokens = 5_000;

/** With the names that the search tools get, as in `modelTools`. */
export interface StartToolSearchOptions extends Pick<ModelToolsOptions, 'prefix' | 'taken' | 'owner'> {
  /** Default: `off`. */
  mode?: ToolSearchMode | undefined;
  /** Tools that are always exposed, by their names at the server. */
  always?: readonly string[] | undefined;
  server?: string | undefined;
  /**
   * If true, found tools become the model's own, so that no tool is needed to describe and call them. Default: false.
   */
  binds?: boolean | undefined;
}

export interface ToolSearch {
  /** The tools for the model: those that are always exposed, then the search tools. */
  readonly exposed: readonly ModelTool[];
  readonly own: readonly ModelTool[];
  find(query: string, limit?: number): ModelTool[];
  /** Parses a call of a search tool; undefined for every other name. Never throws. */
  answer(name: string | undefined, args: unknown): ToolSearchAnswer | undefined;
}

/** A text for the model, or the call that it asks for, which the host makes as if the model had made it. */
export type ToolSearchAnswer =
  | { readonly kind: 'text'; readonly text: string; readonly isError: boolean; readonly found: readonly ModelTool[] }
  | {
      readonly kind: 'call';
      readonly tool: ModelTool;
      readonly arguments: unknown;
      /** With the tool's schema unless the tool is always exposed: this conversation may not have read it. */
      refusal: (message: string) => string;
    };

/**
 * Exposes three small tools in place of many. Their calls are checked and repaired by the called tool's own schema,
 * which the model reads word for word before the call, or when it is refused.
 *
 * @returns undefined if all tools are to be exposed
 */
export function startToolSearch(
  tools: readonly ModelTool[],
  options: StartToolSearchOptions = {},
): ToolSearch | undefined {
  const { mode = 'off', always = [], server, prefix = '', taken = [], owner, binds = false } = options;
  if (mode === 'off' || tools.length === 0 || (mode === 'auto' && toolTokens(tools) <= manyTokens)) return undefined;
  const shown = tools.filter(({ tool }) => always.includes(tool.name));
  const [search, describe, call] = threeTools(tools, server ? quote(server, 60) : 'the server', {
    prefix,
    owner,
    taken: [...taken, ...tools.map(({ name }) => name)],
  });
  const own = binds ? [search] : [search, describe, call];
  let index: ReturnType<typeof searchIn> | undefined;
  const find = (query: string, limit = usualResults) => (index ??= searchIn(tools))(query, limit);
  // A server's own name for a tool will do, unless several servers have it.
  const named = (name: string) => {
    const exact = tools.find((each) => each.name === name);
    return exact ? [exact] : tools.filter(({ tool }) => tool.name === name);
  };

  // Their arguments have been checked.
  const answers = new Map<string, (args: Readonly<Record<string, unknown>>) => ToolSearchAnswer>([
    [search.name, ({ query, limit }) => found(find(String(query), limit as number | undefined))],
    [describe.name, ({ names }) => description(names as readonly string[])],
    [call.name, (args) => requested(String(args['name']), args['arguments'])],
  ]);

  function found(results: readonly ModelTool[]): ToolSearchAnswer {
    const next = binds
      ? 'They are tools of yours now: call them by their names.'
      : `Call one with ${call.name}, or get its whole schema first with ${describe.name}.`;
    const text = results.length === 0 ? nothingFound(tools) : resultsText(results, tools.length, next);
    return { kind: 'text', text, isError: false, found: results };
  }

  function description(names: readonly string[]): ToolSearchAnswer {
    const given = [...new Set(names.flatMap(named))];
    const unknown = names.filter((name) => named(name).length === 0);
    let length = 0;
    const texts = given.map((tool, index) => {
      const { name, description } = tool;
      const text = `${jsonText({ name, description }).slice(0, -1)},"inputSchema":${schemaText(tool)}}`;
      // The first is given whatever its size.
      if (index > 0 && length + text.length > longestDescription)
        return `${quote(tool.name)} is too long to be added here: describe it by itself.`;
      length += text.length;
      return text;
    });
    const unknownTexts = unknown.map((name) => unknownTool(name, tools, search.name));
    return { kind: 'text', text: [...texts, ...unknownTexts].join('\n'), isError: given.length === 0, found: given };
  }

  function requested(name: string, args: unknown): ToolSearchAnswer {
    const [tool, ...others] = named(name);
    if (!tool) return error(unknownTool(name, tools, search.name));
    if (others.length > 0) return error(severalTools(name, [tool, ...others]));
    return { kind: 'call', tool, arguments: args ?? {}, refusal: (message) => withSchema(message, tool) };
  }

  function withSchema(message: string, tool: ModelTool): string {
    if (shown.includes(tool)) return message;
    const schema = schemaText(tool);
    if (schema.length > longestDescription)
      return `${message}\nIt takes ${signature({ inputSchema: tool.schema }, { maxLength: 2_000 })}. ${describe.name} gives its whole schema.`;
    return `${message}\nThe schema of its arguments: ${schema}`;
  }

  function misused(asked: string, message: string, args: unknown): ToolSearchAnswer {
    const name = asked === call.name && isObject(args) ? args['name'] : undefined;
    const [tool, ...others] = typeof name === 'string' ? named(name) : [];
    if (!tool || others.length > 0) return error(message);
    return error(withSchema(`${message}\nThe arguments of ${quote(tool.name)} go into "arguments".`, tool));
  }

  return {
    exposed: [...shown, ...own],
    own,
    find,
    answer(name, args) {
      const answer = name === undefined ? undefined : answers.get(name);
      const tool = own.find((each) => each.name === name);
      if (!answer || !tool) return undefined;
      try {
        const { inputSchema, definition, notes } = tool.tool;
        const asCalled = { name: tool.name, inputSchema, definition, notes };
        return answer(checkArguments(asCalled, args, { repairs: 'all' }).arguments);
      } catch (refused) {
        if (!(refused instanceof InvalidArgumentsError)) throw refused;
        return misused(tool.name, refused.message, args);
      }
    },
  };
}

function error(text: string): ToolSearchAnswer {
  return { kind: 'text', text, isError: true, found: [] };
}

function severalTools(name: string, tools: readonly ModelTool[]): string {
  const names = shortened(tools.map(nameShown).join(', '), 600);
  return `Several tools are called ${quote(name)}: ${names}. Say which one.`;
}

const longestDescription = 40_000;

function resultsText(results: readonly ModelTool[], count: number, next: string): string {
  const lines = results.map(({ name, description, schema }) => {
    const what = description === name ? '' : `: ${shortened(description.replace(/\s+/g, ' ').trim(), 200)}`;
    return `${nameShown({ name })}(${signature({ inputSchema: schema }, { maxLength: 160 })})${what}`;
  });
  return [`The best ${results.length} of ${counted(count, 'tool')}. ${next}`, ...lines].join('\n');
}

function nothingFound(tools: readonly ModelTool[]): string {
  const some = shortened(tools.slice(0, 100).map(nameShown).join(', '), 600);
  return `No tool fits. Try other words, for what the tool does or what it works on. There are ${tools.length} tools: ${some}`;
}

/** The schema as its server wrote it, to the character, if JavaScript represents it differently. */
function schemaText({ schema, tool }: ModelTool): string {
  const isInexact = schema === tool.inputSchema && tool.notes.some(({ code }) => code === 'inexact-text');
  return (isInexact ? tool.text?.inputSchema : undefined) ?? jsonText(schema);
}

function unknownTool(asked: string, tools: readonly ModelTool[], search: string): string {
  // A longer one is like no other.
  const name = cut(asked, 200);
  const names = tools.map((tool) => tool.name);
  const near = namesNear(name, names, 3).slice(0, 3);
  const meant = near.map((each) => nameShown({ name: each })).join(' or ');
  return `There is no tool ${quote(name)}. ${meant === '' ? `Find one with ${search}.` : `Did you mean ${meant}?`}`;
}

/**
 * About how many tokens a model reads for these tools: a quarter of the characters of names, descriptions and schemas.
 * Tokenizers differ; the order of magnitude is what matters.
 */
export function toolTokens(tools: readonly Pick<ModelTool, 'name' | 'description' | 'schema'>[]): number {
  // Adds up lengths, since all texts in one may exceed the longest string.
  const lengths = tools.map(({ name, description, schema }) => (name + description + jsonText(schema)).length);
  return Math.ceil(lengths.reduce((sum, length) => sum + length, 0) / 4);
}
