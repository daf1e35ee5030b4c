import {
  callTool,
  describeRepair,
  FixedArgumentsError,
  InvalidArgumentsError,
  type Provider,
  type ToolOptions,
} from '../../internal.js';
import {
  doubledIn,
  equals,
  isObject,
  JsonScanner,
  jsonText,
  memberText,
  parseJson,
  quote,
  shortened,
  type JsonObject,
} from '../../json/index.js';
import { codes, Refusal } from '../errors.js';
import { ownTurn } from '../message-size.js';
import type { Caller } from '../upstream/calls-under-way.js';
import type { Group, OwnedTool } from '../upstream/group.js';
import { exposedTool } from './exposed-tool.js';
import { shortenedResult, textResult } from './result.js';

/** Which tools clients get, and how calls are checked. */
export interface ToolSettings {
  readonly tool: Omit<ToolOptions, 'fixed'>;
  readonly provider?: Provider | undefined;
  /** Receives what was repaired, refused, skipped or exposed differently; a line each, for people. */
  readonly log: (line: string) => void;
}

/** The tools of a principal's servers, as its clients list and call them. */
export class Tools {
  #lastNotes = '';

  constructor(
    readonly group: Pick<Group, 'tools' | 'skipped'>,
    readonly settings: ToolSettings,
  ) {}

  /** The result of `tools/list`: one page, each tool as its server wrote it, unless that could not be read. */
  async list({ cursor }: JsonObject, signal: AbortSignal): Promise<string> {
    if (cursor !== undefined) throw new Refusal(codes.invalidParams, 'Invalid cursor');
    const { sent, owned: all } = await this.group.tools(signal, true);
    const notes = this.group.skipped;
    const texts = sent.map((model) => {
      const { name, description, schema, tool } = model;
      const owned = all.get(name);
      // The tools of tool search have no server.
      if (!owned) return jsonText({ name, description, inputSchema: schema, annotations: tool.annotations });
      const { upstream, fixed } = owned;
      const { text, differences } = exposedTool(tool, name, {
        provider: this.settings.provider,
        fixed: Object.keys(fixed ?? {}),
        isShortened: upstream.server.maxResultLength !== undefined,
      });
      notes.push(...differences.map((difference) => `${upstream.name}: ${name}: ${difference}`));
      return text;
    });
    if (notes.join('\n') !== this.#lastNotes) notes.forEach(this.settings.log);
    this.#lastNotes = notes.join('\n');
    return `{"tools":[${texts.join(',')}]}`;
  }

  /**
   * Calls a tool, or answers for the three tools of tool search.
   *
   * @returns the text of the result
   * @throws Refusal where there is no such tool
   */
  async call({ params, paramsText }: { params: JsonObject; paramsText: string }, caller: Caller): Promise<string> {
    const { search, owned } = await this.group.tools(caller.signal);
    // All calls that waited for the tools go on at once.
    await ownTurn();
    const name = String(params['name']);
    const found = search?.answer(name, params['arguments']);
    if (found?.kind === 'text') return textResult(found.text, found.isError);
    const tool = owned.get(found?.tool.name ?? name);
    if (!tool) throw new Refusal(codes.invalidParams, `Unknown tool: ${name}`);
    const doubled = doubledName(paramsText);
    if (doubled !== undefined) {
      const refusal = `${quote(shortened(doubled, 100))} stands twice in this call, which servers read in different ways. The tool was not called. Write it once.`;
      this.#log(tool, refusal);
      return textResult(refusal, true);
    }
    const args = found ? found.arguments : params['arguments'];
    const inner = memberText(paramsText, found ? ['arguments', 'arguments'] : ['arguments']);
    // The arguments of an inner call may have had to be repaired to be read.
    const isAsWritten = inner !== undefined && isObject(args) && (!found || equals(parseJson(inner), args));
    try {
      return await this.#checkedCall(tool, args, isAsWritten ? inner : undefined, params, caller);
    } catch (error) {
      if (!(error instanceof InvalidArgumentsError || error instanceof FixedArgumentsError)) throw error;
      const isInvalid = error instanceof InvalidArgumentsError;
      const lines = isInvalid ? [`refused: ${error.title}`, ...error.reasons] : [error.message];
      for (const line of lines) this.#log(tool, line);
      return textResult(found ? found.refusal(error.message) : error.message, true);
    }
  }

  async #checkedCall(
    owned: OwnedTool,
    args: unknown,
    argumentsText: string | undefined,
    params: JsonObject,
    caller: Caller,
  ): Promise<string> {
    const { upstream, fixed, tool } = owned;
    const server = {
      callTool: (_: unknown, sent: Record<string, unknown>, options: object = {}) =>
        upstream.call(tool, sent, options, params, caller),
    };
    const { result, repairs, warnings } = await callTool(server, tool, args, {
      ...this.settings.tool,
      fixed,
      // The client has the output schema, and checks the result if it wants to.
      outputSchema: 'ignore',
      ...(argumentsText !== undefined && { argumentsText }),
    });
    for (const repair of repairs) this.#log(owned, describeRepair(repair));
    for (const { message } of warnings) this.#log(owned, message);
    const { rawText, content, structuredContent, isError } = result;
    // There is no raw text where the server repeats fixed arguments in a failure.
    const text = rawText ?? jsonText({ content, structuredContent, isError });
    return shortenedResult(text, upstream.server.maxResultLength);
  }

  #log({ upstream, tool }: OwnedTool, line: string): void {
    this.settings.log(`${upstream.name}: ${tool.name}: ${line}`);
  }
}

/** A name that an object in a JSON text has twice. */
function doubledName(text: string): string | undefined {
  for (const { names = [] } of new JsonScanner(text).places()) {
    const doubled = doubledIn(names);
    if (doubled !== undefined) return doubled;
  }
  return undefined;
}
