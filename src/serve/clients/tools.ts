import {
  callTool,
  describeRepair,
  exposedTools,
  FixedArgumentsError,
  fixedForTool,
  InvalidArgumentsError,
  McpError,
} from '../../internal.js';
import type {
  Catalogue,
  CatalogueTool,
  ExposedToolsOptions,
  FixedArguments,
  ModelTool,
  Provider,
  ToolOptions,
  ToolSearch,
} from '../../internal.js';
import {
  doubledIn,
  equals,
  isObject,
  JsonScanner,
  jsonText,
  memberText,
  messageOf,
  parseJson,
  quote,
  shortened,
  type JsonObject,
} from '../../json/index.js';
import { codes, Refusal } from '../errors.js';
import { ownTurn } from '../message-size.js';
import type { Caller } from '../upstream/calls-under-way.js';
import { skippedLine, type Group } from '../upstream/group.js';
import type { Upstream } from '../upstream/upstream.js';
import { exposedTool, shortenedResult, textResult } from './exposed-tool.js';

export interface ToolSettings extends Pick<ExposedToolsOptions, 'toolSearch' | 'always'> {
  readonly tool: Omit<ToolOptions, 'fixed'>;
  readonly provider?: Provider | undefined;
  /** Receives what was repaired, refused, skipped or exposed differently; a line each, for people. */
  readonly log: (line: string) => void;
}

interface OwnedTool {
  readonly tool: CatalogueTool;
  readonly upstream: Upstream;
  readonly fixed: FixedArguments | undefined;
}

interface ServedTools {
  readonly sent: readonly ModelTool[];
  readonly search: ToolSearch | undefined;
  /** By the names that clients know them by; the search tools are of no server. */
  readonly owned: ReadonlyMap<string, OwnedTool>;
}

export class Tools {
  #catalogues: readonly (Catalogue | undefined)[] = [];
  #served: ServedTools | undefined;
  #lastNotes = '';

  constructor(
    readonly group: Pick<Group, 'upstreams' | 'single' | 'open' | 'reachable'>,
    readonly settings: ToolSettings,
  ) {}

  async list({ cursor }: JsonObject, signal: AbortSignal): Promise<string> {
    if (cursor !== undefined) throw new Refusal(codes.invalidParams, 'Invalid cursor');
    const { sent, owned: all } = await this.served(signal, true);
    const notes = this.group.upstreams.flatMap(({ name }, index) =>
      (this.#catalogues[index]?.skipped ?? []).map((tool) => `${name}: skipped ${skippedLine(tool)}`),
    );
    const texts = sent.map(({ name, description, schema, tool }) => {
      const owned = all.get(name);
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

  async call({ params, paramsText }: { params: JsonObject; paramsText: string }, caller: Caller): Promise<string> {
    const { search, owned } = await this.served(caller.signal);
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
      log(tool, refusal);
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
      for (const line of lines) log(tool, line);
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
    for (const line of [...repairs.map(describeRepair), ...warnings.map(({ message }) => message)]) log(owned, line);
    const { rawText, content, structuredContent, isError } = result;
    // There is no raw text where the server repeats fixed arguments in a failure.
    const text = rawText ?? jsonText({ content, structuredContent, isError });
    return shortenedResult(text, upstream.server.maxResultLength);
  }

  /** @throws McpError where the user fixed arguments that do not exist; of several servers, that one has no tools */
  async served(signal?: AbortSignal, isFresh = false): Promise<ServedTools> {
    await (isFresh ? this.group.reachable() : this.group.open());
    const before = this.#catalogues;
    const catalogues = await Promise.all(
      this.group.upstreams.map(async (upstream, index) => {
        if (this.group.single) return upstream.catalogue(signal, isFresh);
        // One that fails keeps the tools that it had: a call of one is answered with the reason.
        if (!upstream.isOpen) return before[index];
        return upstream.catalogue(signal, isFresh).catch((error: unknown) => {
          upstream.log(messageOf(error));
          return before[index];
        });
      }),
    );
    if (this.#served && catalogues.every((catalogue, index) => catalogue === before[index])) return this.#served;
    this.#served = this.#servedFrom(catalogues);
    this.#catalogues = catalogues;
    return this.#served;
  }

  #servedFrom(catalogues: readonly (Catalogue | undefined)[]): ServedTools {
    const { upstreams, single } = this.group;
    const { toolSearch, always = [] } = this.settings;
    const servers = upstreams.map((upstream, index) => ({
      name: upstream.title,
      prefix: single ? '' : upstream.name,
      ...this.#withFixed(upstream, catalogues[index]),
    }));
    const keepsNames = single !== undefined;
    const { byServer, sent, search } = exposedTools(servers, { toolSearch, always, keepsNames });
    for (const name of always)
      if (!byServer.flat().some(({ tool }) => tool.name === name))
        this.settings.log(`--always: there is no tool "${name}"`);
    const owned = upstreams.flatMap((upstream, index) => {
      const fixed = new Map(Object.entries(servers[index]?.fixed ?? {}));
      return (byServer[index] ?? []).map(
        ({ name, tool }) => [name, { tool, upstream, fixed: fixed.get(tool.name) }] as const,
      );
    });
    return { sent, search, owned: new Map(owned) };
  }

  #withFixed(upstream: Upstream, catalogue: Catalogue | undefined) {
    try {
      const fixed = Object.entries(upstream.server.fixed ?? {}).map(([name, values]): [string, FixedArguments] => {
        const tool = catalogue?.find(name);
        if (catalogue && !tool) throw new McpError(unknownFixed(name, catalogue), { code: 'INVALID_ADDRESS' });
        return [name, tool ? fixedForTool(tool, values) : {}];
      });
      return { tools: catalogue?.tools ?? [], fixed: Object.fromEntries(fixed) };
    } catch (error) {
      if (this.group.single) throw error;
      upstream.log(messageOf(error));
      return { tools: [] };
    }
  }
}

function log({ upstream, tool }: OwnedTool, line: string): void {
  upstream.log(`${tool.name}: ${line}`);
}

function doubledName(text: string): string | undefined {
  for (const { names = [] } of new JsonScanner(text).places()) {
    const doubled = doubledIn(names);
    if (doubled !== undefined) return doubled;
  }
  return undefined;
}

function unknownFixed(name: string, { tools }: Catalogue): string {
  const names = shortened(tools.map((tool) => quote(tool.name)).join(', '), 600);
  return `Arguments are fixed for the tool ${quote(name)}, which does not exist. The server's tools: ${names}.`;
}
