import {
  callTool,
  describeRepair,
  FixedArgumentsError,
  InvalidArgumentsError,
  startToolSearch,
  type ToolSearch,
  type ToolSearchMode,
  type Provider,
  type ToolOptions,
  type ToolOutcome,
} from '../../internal.js';
import {
  doubledIn,
  equals,
  isObject,
  type JsonObject,
  JsonScanner,
  jsonText,
  memberText,
  parseJson,
  quote,
  shortened,
} from '../../json/index.js';
import { codes, Refusal } from '../answers.js';
import { rejectedLine, type Group, type OwnedTool, type OwnedTools } from '../upstream/group.js';
import type { Caller, Upstream } from '../upstream/upstream.js';
import { exposedTool } from './exposed-tool.js';
import { shortenedResult, textResult } from './result.js';

/** Which tools clients get, and how calls are checked. */
export interface ToolSettings {
  readonly tool: Omit<ToolOptions, 'fixed'>;
  readonly provider?: Provider | undefined;
  readonly toolSearch?: ToolSearchMode;
  /** Tools that are exposed always, by their names at the server. */
  readonly always?: readonly string[];
  /** Hears what was repaired, refused, rejected or exposed differently; a line each, for people. */
  readonly log: (line: string) => void;
}

/** So much is remembered of what was said already. */
const mostNotes = 1000;

/** A call: its params, and the text that they were written in. */
interface Call {
  readonly params: JsonObject;
  readonly paramsText: string;
}

/** The tools of a principal's servers, as its clients list and call them. */
export class Tools {
  readonly #group: Group;
  readonly #settings: ToolSettings;
  readonly #logged = new Set<string>();
  #found: { tools: OwnedTools; search: ToolSearch | undefined } | undefined;

  constructor(group: Group, settings: ToolSettings) {
    this.#group = group;
    this.#settings = settings;
  }

  /** The result of `tools/list`: one page, each tool as its server wrote it, unless that could not be read. */
  async list({ cursor }: JsonObject, signal: AbortSignal): Promise<string> {
    if (typeof cursor === 'string') throw new Refusal(codes.invalidParams, 'Invalid cursor');
    const tools = await this.#group.tools(signal, true);
    const search = this.#search(tools);
    const texts = (search?.exposed ?? [...tools.values()].map(({ model }) => model)).map((model) => {
      const tool = tools.get(model.name);
      if (tool) return this.#exposed(tool);
      const { name, description, schema } = model;
      return jsonText({ name, description, inputSchema: schema, annotations: model.tool.annotations });
    });
    for (const [upstream, tool] of this.#group.rejected) this.#note(upstream, `set aside: ${rejectedLine(tool)}`);
    return `{"tools":[${texts.join(',')}]}`;
  }

  /**
   * Calls a tool, or answers for the three search tools.
   *
   * @returns the text of the result
   * @throws Refusal where there is no such tool
   */
  async call({ params, paramsText }: Call, caller: Caller): Promise<string> {
    const tools = await this.#group.tools(caller.signal);
    const name = typeof params['name'] === 'string' ? params['name'] : '';
    const found = this.#search(tools)?.answer(name, params['arguments']);
    if (found?.kind === 'text') return textResult(found.text, found.isError);
    const tool = tools.get(found?.tool.name ?? name);
    if (!tool) {
      const { single } = this.#group;
      // What nobody lists is the server's to refuse.
      if (single && !single.isRestricted) return single.request('tools/call', params, caller);
      throw new Refusal(codes.invalidParams, `Unknown tool: ${name}`);
    }
    const inner = memberText(paramsText, found ? ['arguments', 'arguments'] : ['arguments']);
    const args = found ? found.arguments : params['arguments'];
    // The arguments of an inner call may have had to be repaired to be read.
    const argumentsText = inner !== undefined && (!found || equals(parseJson(inner), args)) ? inner : undefined;
    try {
      return await this.#called(tool, { args, argumentsText, params, paramsText }, caller);
    } catch (error) {
      if (!(error instanceof InvalidArgumentsError || error instanceof FixedArgumentsError)) throw error;
      const reasons = error instanceof InvalidArgumentsError ? [`refused: ${error.title}`, ...error.reasons] : [];
      for (const line of reasons.length > 0 ? reasons : [error.message]) this.#log(tool, line);
      return textResult(found ? found.refusal(error.message) : error.message, true);
    }
  }

  async #called(
    { upstream, model, fixed }: OwnedTool,
    { args, argumentsText, params, paramsText }: Call & { args: unknown; argumentsText: string | undefined },
    caller: Caller,
  ): Promise<string> {
    const doubled = doubledName(paramsText);
    if (doubled !== undefined) {
      const refusal = `${quote(shortened(doubled, 100))} stands twice in this call, which servers read in different ways. The tool was not called. Write it once.`;
      this.#log({ upstream, model }, refusal);
      return textResult(refusal, true);
    }
    const server = {
      callTool: (tool: typeof model.tool, sent: Record<string, unknown>, options: object = {}) =>
        upstream.call(tool, sent, options, params, caller),
    };
    const options = {
      ...this.#settings.tool,
      fixed,
      // Clients have the output schema, or are not to hold the result to it.
      outputSchema: 'ignore' as const,
      ...(isObject(args) && argumentsText !== undefined && { argumentsText }),
    };
    const outcome = await callTool(server, model.tool, args, options);
    for (const repair of outcome.repairs) this.#log({ upstream, model }, describeRepair(repair));
    for (const { message } of outcome.warnings) this.#log({ upstream, model }, message);
    return shortenedResult(resultText(outcome), upstream.maxResultLength);
  }

  #exposed({ upstream, model, fixed }: OwnedTool): string {
    const { text, differences } = exposedTool(model.tool, model.name, {
      provider: this.#settings.provider,
      fixed: Object.keys(fixed ?? {}),
      isShortened: upstream.maxResultLength < Infinity,
    });
    for (const difference of differences) this.#note(upstream, `${model.name}: ${difference}`);
    return text;
  }

  #search(tools: OwnedTools): ToolSearch | undefined {
    if (this.#found?.tools === tools) return this.#found.search;
    const { toolSearch: mode, always } = this.#settings;
    const models = [...tools.values()].map(({ model }) => model);
    for (const name of always ?? [])
      if (!models.some(({ tool }) => tool.name === name)) this.#settings.log(`always: there is no tool "${name}"`);
    const server = this.#group.upstreams.map((each) => each.title).join(', ');
    const search = startToolSearch(models, { mode, always, server });
    this.#found = { tools, search };
    return search;
  }

  #log({ upstream, model }: Pick<OwnedTool, 'upstream' | 'model'>, line: string): void {
    this.#settings.log(`${upstream.name}: ${model.tool.name}: ${line}`);
  }

  /** Says each thing once to whoever reads the log. */
  #note(upstream: Upstream, line: string): void {
    const key = `${upstream.name}: ${line}`;
    if (this.#logged.has(key)) return;
    if (this.#logged.size >= mostNotes) this.#logged.clear();
    this.#logged.add(key);
    this.#settings.log(key);
  }
}

/** The server's own text; where that repeats fixed arguments in a failure, what is left of it without them. */
function resultText({ result: { rawText, content, structuredContent, isError } }: ToolOutcome): string {
  return rawText ?? jsonText({ content, structuredContent, isError });
}

/** A name that an object in a JSON text has twice. */
function doubledName(text: string): string | undefined {
  for (const { names = [] } of new JsonScanner(text).places()) {
    const doubled = doubledIn(names);
    if (doubled !== undefined) return doubled;
  }
  return undefined;
}
