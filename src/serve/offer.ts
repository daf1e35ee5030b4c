import { startDiscovery } from '../index.js';
import type { Discovery, DiscoveryMode, ToolOptions } from '../index.js';
import { equals, jsonText, memberText, parseJson, withMember, type JsonObject } from '../json/index.js';
import { checkedCall, resultWithout, shortenedResult, textResult } from './calls.js';
import type { Joined, ToolBehind, ToolsBehind } from './behind/joined.js';
import type { ServerBehind } from './behind/server-behind.js';
import { errorCodes, refused } from './refusals.js';
import { setAsideLine, toldTool, type Telling } from './telling.js';

/** What is offered of tools, and how calls are checked. */
export interface OfferSettings {
  readonly tool: Omit<ToolOptions, 'fixed'>;
  readonly provider: Telling['provider'];
  readonly discovery?: DiscoveryMode;
  /** Tools that are told always, by their names at the server. */
  readonly pinned?: readonly string[];
  /** Told what was repaired, refused, set aside or told differently; a line each, for people. */
  readonly log: (line: string) => void;
}

/** The params of a request, as they are read and as they are written. */
interface Params {
  readonly params: JsonObject;
  readonly paramsText: string;
}

/** A call as it goes on to a server, or what the model reads instead. */
type OfferedCall =
  | { readonly answer: string }
  | (Params & {
      readonly server: ServerBehind;
      readonly headers?: Record<string, string> | undefined;
      /** The result as the client is given it. */
      readonly told: (resultText: string) => string;
    });

/** What one client is offered of the tools of all servers, and what a call of it means. */
export class ToolOffer {
  readonly #joined: Joined;
  readonly #settings: OfferSettings;
  readonly #said = new Set<string>();
  #found: { tools: ToolsBehind; discovery: Discovery | undefined } | undefined;

  constructor(joined: Joined, settings: OfferSettings) {
    this.#joined = joined;
    this.#settings = settings;
  }

  /** The result of `tools/list`: a single server's own, to the character, where nothing of it has to differ. */
  async list({ params, paramsText }: Params, signal: AbortSignal): Promise<string> {
    if (typeof params['cursor'] === 'string') throw refused(errorCodes.invalidParams, 'Invalid cursor');
    const lists = await this.#joined.listTools(paramsText, signal);
    const tools = await this.#joined.tools(signal);
    const discovery = this.#discovery(tools);
    const [list] = this.#joined.isSingle ? lists : [];
    let isTheirs = list?.pages === 1 && !discovery;
    const texts: string[] = [];
    for (const told of discovery?.told ?? [...tools.values()].map(({ model }) => model)) {
      const { name, description, schema } = told;
      const tool = tools.get(name);
      if (!tool) {
        texts.push(jsonText({ name, description, inputSchema: schema, annotations: told.tool.annotations }));
        continue;
      }
      const { text, remarks } = this.#told(tool);
      texts.push(text);
      for (const remark of remarks) this.#remark(tool.server, `${name}: ${remark}`);
      if (text !== tool.model.tool.text?.definition) isTheirs = false;
    }
    for (const { server, catalogue } of lists)
      for (const setAside of catalogue.setAside) {
        isTheirs = false;
        this.#remark(server, `set aside: ${setAsideLine(setAside)}`);
      }
    if (isTheirs && list) return list.resultText;
    return withMember(
      withMember(list?.resultText ?? '{}', ['tools'], `[${texts.join(',')}]`),
      ['nextCursor'],
      undefined,
    );
  }

  /** @throws RefusedRequest where there is no such tool */
  async call(request: Params, signal: AbortSignal): Promise<OfferedCall> {
    const { params } = request;
    const tools = await this.#joined.tools(signal);
    const name = typeof params['name'] === 'string' ? params['name'] : undefined;
    const found = this.#discovery(tools)?.answer(name, params['arguments']);
    if (found?.kind === 'text') return { answer: textResult(found.text, found.isError) };
    if (found) {
      const inner = innerCall(request, found.tool.name, found.arguments);
      return this.#checked(tools.get(found.tool.name), inner, found.refusal);
    }
    return this.#checked(name === undefined ? undefined : tools.get(name), request);
  }

  async #checked(
    tool: ToolBehind | undefined,
    request: Params,
    refusal: (message: string) => string = (message) => message,
  ): Promise<OfferedCall> {
    const { params } = request;
    if (!tool) {
      const { isSingle, servers } = this.#joined;
      if (!isSingle || servers[0].isRestricted)
        throw refused(errorCodes.invalidParams, `Unknown tool: ${String(params['name'])}`);
      // What nobody lists is the server's to refuse.
      return { params, paramsText: request.paramsText, server: servers[0], told: (text) => text };
    }
    const { server, fixed, model } = tool;
    const own = model.tool.name;
    const checked = checkedCall(model.tool, request, { ...this.#settings.tool, fixed });
    for (const remark of checked.remarks) this.#settings.log(`${server.name}: ${own}: ${remark}`);
    if ('refusal' in checked) return { answer: textResult(refusal(checked.refusal), true) };
    const sent = params['name'] === own ? checked : renamed(checked, own);
    const headers = await server.headersFor(model.tool, sent.params['arguments']);
    const task = 'task' in sent.params ? undefined : await server.taskFor(model.tool);
    return {
      params: { ...sent.params, ...task },
      paramsText: task ? withMember(sent.paramsText, ['task'], JSON.stringify(task.task)) : sent.paramsText,
      server,
      headers,
      told: (text) => shortenedResult(resultWithout(fixed, text), server.longestAnswer),
    };
  }

  #told({ server, model, fixed }: ToolBehind): ReturnType<typeof toldTool> {
    const { provider } = this.#settings;
    return toldTool(model.tool, model.name, {
      provider,
      fixed: Object.keys(fixed ?? {}),
      isShortened: server.longestAnswer < Infinity,
    });
  }

  #discovery(tools: ToolsBehind): Discovery | undefined {
    if (this.#found?.tools === tools) return this.#found.discovery;
    const { discovery: mode, pinned } = this.#settings;
    const models = [...tools.values()].map(({ model }) => model);
    for (const name of pinned ?? [])
      if (!models.some(({ tool }) => tool.name === name)) this.#settings.log(`pinned: there is no tool "${name}"`);
    const server = this.#joined.servers.map((each) => each.title).join(', ');
    const discovery = startDiscovery(models, { mode, pinned, server });
    this.#found = { tools, discovery };
    return discovery;
  }

  /** Says each thing once to whoever reads the log. */
  #remark(server: ServerBehind, line: string): void {
    if (this.#said.has(line)) return;
    this.#said.add(line);
    this.#settings.log(`${server.name}: ${line}`);
  }
}

/** The call that `call_tool` asks for; its arguments to the character, unless they had to be repaired to be read. */
function innerCall({ params, paramsText }: Params, name: string, args: unknown): Params {
  const written = memberText(paramsText, ['arguments', 'arguments']);
  const isSame = written !== undefined && equals(parseJson(written), args);
  const text = withMember(paramsText, ['arguments'], isSame ? written : jsonText(args));
  return renamed({ params: { ...params, arguments: args }, paramsText: text }, name);
}

function renamed({ params, paramsText }: Params, name: string): Params {
  return { params: { ...params, name }, paramsText: withMember(paramsText, ['name'], JSON.stringify(name)) };
}
