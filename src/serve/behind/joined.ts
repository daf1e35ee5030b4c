import { fixedForTool, McpError, modelTools } from '../../index.js';
import type { Catalogue, FixedArguments, ModelTool, SetAsideTool } from '../../index.js';
import { isObject, messageOf, quote, quotedLines, shortened, withMember, type JsonObject } from '../../json/index.js';
import type { Relay, RelayedTools } from '../../mcp/index.js';
import { initializeResult, discoverResult, type Identity, type Introduction } from '../revisions.js';
import { setAsideLine } from '../telling.js';
import { JoinedLists } from './joined-lists.js';
import { ServerBehind, type Asker, type NamedServer } from './server-behind.js';

/** A tool by the name that clients know it by, and whose it is. */
export interface ToolBehind {
  readonly server: ServerBehind;
  readonly model: ModelTool;
  readonly fixed: FixedArguments | undefined;
}

export type ToolsBehind = ReadonlyMap<string, ToolBehind>;

/**
 * All servers behind, for clients who say the same of themselves. Of a single one everything stays as it is; where
 * several are joined, tools and prompts have the name of their server in front.
 */
export class Joined {
  readonly client: Identity;
  readonly servers: readonly [ServerBehind, ...ServerBehind[]];
  readonly #log: (line: string) => void;
  #tools: { catalogues: readonly (Catalogue | undefined)[]; byName: ToolsBehind } | undefined;
  /** Their prompts and resources. */
  readonly lists: JoinedLists;

  constructor(
    servers: readonly NamedServer[],
    client: Identity,
    options: { timeoutMs: number; log: (line: string) => void },
  ) {
    this.client = client;
    this.servers = servers.map((server) => new ServerBehind(server, client, options)) as [
      ServerBehind,
      ...ServerBehind[],
    ]; // one at least was named
    this.#log = options.log;
    this.lists = new JoinedLists(this, options.log);
  }

  get isSingle(): boolean {
    return this.servers.length === 1;
  }

  join(asker: Asker): void {
    for (const server of this.servers) server.askers.add(asker);
  }

  leave(asker: Asker): void {
    for (const server of this.servers) server.askers.delete(asker);
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()));
  }

  /**
   * The answer to the client's handshake, or to its discovery: a single server's own, where both speak alike. Odd tools
   * that were set aside are told in the instructions.
   */
  async introduction(): Promise<string> {
    const { client, servers } = this;
    const [first] = servers;
    const remark = await this.#setAsideRemark();
    if (this.isSingle) {
      const { handshake, isStateless } = await first.relay();
      if (isStateless === (client.era === 'stateless') && handshake.text !== undefined) {
        const said = await first.instructions();
        if (said === handshake.instructions && remark === undefined) return handshake.text;
        // Replaced, not left out: the name may stand twice in the text.
        return withMember(handshake.text, ['instructions'], JSON.stringify(joinedTexts([said, remark]) ?? ''));
      }
    }
    const said = await this.introduced(remark);
    return client.era === 'stateless' ? discoverResult(said) : initializeResult(said, client);
  }

  /** What the servers say of themselves, together. One that cannot be reached is left out as long as there are others. */
  async introduced(remark?: string): Promise<Introduction> {
    const relays = await this.reachable();
    const [only] = relays;
    if (this.isSingle && only) {
      const { capabilities, serverInfo } = only.relay.handshake;
      const instructions = await only.server.instructions();
      const info = serverInfo ?? { name: only.server.name, version: '0' };
      return { capabilities, serverInfo: info, instructions: joinedTexts([instructions, remark]) };
    }
    const instructions = await this.ofEach(
      relays.map(({ server }) => server),
      async (server) => {
        const said = await server.instructions();
        return said === undefined ? undefined : `${server.name}:\n${quotedLines(said)}`;
      },
    );
    return {
      capabilities: mergedCapabilities(relays.map(({ relay }) => relay.handshake.capabilities)),
      serverInfo: { name: 'mcp-verbatim', version: '0' },
      instructions: joinedTexts([...instructions, remark]),
    };
  }

  /**
   * The servers that can be reached; of several, those that could not be reached before only where that is tried again.
   */
  async reachable(isTriedAgain = true) {
    const servers = this.isSingle || isTriedAgain ? this.servers : this.servers.filter(({ isDown }) => !isDown);
    return this.#ofEachInTime(servers, (server, relay) => Promise.resolve({ server, relay }));
  }

  /** What each server has; of several, one that fails is left out as long as there are others. */
  async ofEach<T>(servers: readonly ServerBehind[], work: (server: ServerBehind) => Promise<T>): Promise<T[]> {
    const results = await Promise.allSettled(servers.map(work));
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = results.find((result) => result.status === 'rejected');
    if (done.length === 0 && failed) throw failed.reason;
    for (const [index, result] of results.entries())
      if (result.status === 'rejected') this.#log(`${servers[index]?.name ?? ''}: ${messageOf(result.reason)}`);
    return done;
  }

  /** The same of those that open in time, unless there would be none. */
  async #ofEachInTime<T>(
    servers: readonly ServerBehind[],
    work: (server: ServerBehind, relay: Relay) => Promise<T>,
  ): Promise<T[]> {
    const waitingForAll = () => this.ofEach(servers, async (server) => work(server, await server.relay()));
    if (this.isSingle) return waitingForAll();
    return this.ofEach(servers, async (server) => work(server, await server.relayInTime())).catch((error: unknown) => {
      if (servers.some(({ isLate }) => isLate)) return waitingForAll();
      throw error;
    });
  }

  async #setAsideRemark(): Promise<string | undefined> {
    const reached = await this.reachable();
    // Whatever keeps a list from being read, the client will hear when it asks for it.
    const catalogues = await Promise.all(reached.map(({ server }) => server.catalogue().catch(() => undefined)));
    const setAside = catalogues.flatMap((catalogue) =>
      (catalogue?.setAside ?? []).filter(isForModels).map((each) => `- ${setAsideLine(each)}`),
    );
    if (setAside.length === 0) return undefined;
    return [
      'Not offered, because the server describes these tools in a way that no client can read:',
      ...setAside,
    ].join('\n');
  }

  /** The lists of tools as they are now. */
  async listTools(paramsText: string, signal: AbortSignal): Promise<(RelayedTools & { server: ServerBehind })[]> {
    const lists = await this.#ofEachInTime(this.servers, async (server, { handshake }) => {
      if (!this.isSingle && !('tools' in handshake.capabilities)) return [];
      return [{ ...(await server.listTools(paramsText, signal)), server }];
    });
    return lists.flat();
  }

  /**
   * The tools by the names that clients know them by.
   *
   * @throws McpError where the user fixed arguments of a tool that there is not, FixedArgumentsError where it has no such
   *   argument; where several are joined, that server has no tools
   */
  async tools(signal?: AbortSignal): Promise<ToolsBehind> {
    const before = this.#tools?.catalogues ?? [];
    const catalogues = await Promise.all(
      this.servers.map((server, index) => this.#catalogue(server, before[index], signal)),
    );
    const known = this.#tools;
    if (known?.catalogues.every((catalogue, index) => catalogue === catalogues[index])) return known.byName;
    const byName = new Map<string, ToolBehind>();
    for (const [index, server] of this.servers.entries())
      for (const tool of this.#toolsOf(server, catalogues[index], byName.keys())) byName.set(tool.model.name, tool);
    this.#tools = { catalogues, byName };
    return byName;
  }

  /** One that is away keeps nobody from the tools of the others; who calls a tool of its own hears why it fails. */
  async #catalogue(
    server: ServerBehind,
    before: Catalogue | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Catalogue | undefined> {
    if (server.isDown && !this.isSingle) return before;
    try {
      if (!this.isSingle) await server.relayInTime();
      return await server.catalogue(signal);
    } catch (error) {
      if (this.isSingle && server.isRestricted) throw error;
      this.#log(`${server.name}: ${messageOf(error)}`);
      return server.isLate ? before : undefined;
    }
  }

  #toolsOf(server: ServerBehind, catalogue: Catalogue | undefined, taken: Iterable<string>): ToolBehind[] {
    if (!catalogue) return [];
    try {
      const fixed = new Map(
        Object.entries(server.fixed).map(([name, values]) => {
          const tool = catalogue.find(name);
          if (!tool) throw new McpError(noSuchTool(name, catalogue), { code: 'INVALID_ADDRESS' });
          return [name, fixedForTool(tool, values)];
        }),
      );
      const models = modelTools(catalogue.tools, {
        ...(!this.isSingle && { prefix: server.name, taken }),
        fixed: ({ name }) => Object.keys(fixed.get(name) ?? {}),
      });
      return models.map((model) => ({
        server,
        fixed: fixed.get(model.tool.name),
        model: this.isSingle ? { ...model, name: model.tool.name } : model,
      }));
    } catch (error) {
      if (this.isSingle) throw error;
      this.#log(`${server.name}: ${messageOf(error)}`);
      return [];
    }
  }
}

/** What nobody approved may have been written to be read by a model. */
function isForModels({ reason }: SetAsideTool): boolean {
  return reason.code !== 'changed-since-approved' && reason.code !== 'not-approved';
}

function noSuchTool(name: string, { tools }: Catalogue): string {
  const offered = tools.map((tool) => quote(tool.name)).join(', ');
  return `Arguments are fixed for the tool ${quote(name)}, which there is not. The server offers: ${shortened(offered, 600)}.`;
}

function mergedCapabilities(all: readonly JsonObject[]): JsonObject {
  const merged: Record<string, object> = {};
  for (const name of ['tools', 'prompts', 'resources', 'completions', 'logging']) {
    const those = all.map((capabilities) => capabilities[name]).filter(isObject);
    if (those.length === 0) continue;
    const flags = ['listChanged', 'subscribe'].filter((flag) => those.some((each) => each[flag] === true));
    merged[name] = Object.fromEntries(flags.map((flag) => [flag, true]));
  }
  return merged;
}

function joinedTexts(texts: readonly (string | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined && text !== '');
  return said.length === 0 ? undefined : said.join('\n\n');
}
