import { fixedForTool, McpError, modelTools } from '../../internal.js';
import type { Catalogue, FixedArguments, ModelTool, SkippedTool } from '../../internal.js';
import { isObject, messageOf, quote, quotedLines, shortened, visibleLine, type JsonObject } from '../../json/index.js';
import type { Introduction } from '../revisions.js';
import { Lists } from './lists.js';
import { Upstream, type NamedServer, type Owner, type UpstreamOptions } from './upstream.js';

/** A tool by the name that clients know it by, and whose it is. */
export interface OwnedTool {
  readonly upstream: Upstream;
  readonly model: ModelTool;
  readonly fixed: FixedArguments | undefined;
}

export type OwnedTools = ReadonlyMap<string, OwnedTool>;

/**
 * All servers of one principal. Of a single one everything stays as it is; of several, tools and prompts have the name
 * of their server in front, and one that is slow or fails does not keep the others.
 */
export class Group {
  readonly upstreams: readonly [Upstream, ...Upstream[]];
  /** Their prompts and resources. */
  readonly lists: Lists;
  readonly #log: (line: string) => void;
  #tools: { catalogues: readonly (Catalogue | undefined)[]; byName: OwnedTools } | undefined;

  constructor(servers: readonly NamedServer[], owner: Owner, options: UpstreamOptions) {
    this.upstreams = servers.map((server) => new Upstream(server, owner, options)) as [Upstream, ...Upstream[]]; // one at least was named
    this.#log = options.log;
    this.lists = new Lists(this, options.log);
  }

  /** The only one, where there is no other. */
  get single(): Upstream | undefined {
    return this.upstreams.length === 1 ? this.upstreams[0] : undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
  }

  /** What the servers say of themselves, together; odd tools that were rejected are named in the instructions. */
  async introduction(): Promise<Introduction> {
    const reached = await this.reachable();
    const [only] = reached;
    const rejected = await this.#rejected(reached);
    if (this.single && only) {
      const { capabilities, serverInfo = { name: only.name, version: '0' } } = only.handshake ?? { capabilities: {} };
      return {
        capabilities: knownCapabilities(capabilities, true),
        serverInfo,
        instructions: together([await only.instructions(), rejected]),
      };
    }
    const instructions = await this.ofEach(reached, async (upstream) => {
      const text = await upstream.instructions();
      return text === undefined ? undefined : `${upstream.name}:\n${quotedLines(text)}`;
    });
    return {
      capabilities: merged(reached.map(({ handshake }) => knownCapabilities(handshake?.capabilities ?? {}, false))),
      serverInfo: { name: 'mcp-verbatim', version: '0' },
      instructions: together([...instructions, rejected]),
    };
  }

  /**
   * The servers that can be reached; of several, those that could not be before only where that is tried again, and
   * those that take long only where there would be no others.
   */
  async reachable(isTriedAgain = true): Promise<Upstream[]> {
    const upstreams = this.upstreams.filter(({ isDown }) => this.single ?? (isTriedAgain || !isDown));
    const all = () => this.ofEach(upstreams, async (upstream) => (await upstream.open(), upstream));
    if (this.single) return all();
    return this.ofEach(upstreams, async (upstream) => (await upstream.openInTime(), upstream)).catch(
      (error: unknown) => {
        if (upstreams.some(({ isLate }) => isLate)) return all();
        throw error;
      },
    );
  }

  /** What each server has; of several, one that fails is left out as long as there are others. */
  async ofEach<T>(upstreams: readonly Upstream[], work: (upstream: Upstream) => Promise<T>): Promise<T[]> {
    const results = await Promise.allSettled(upstreams.map(work));
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = results.find((result) => result.status === 'rejected');
    if (done.length === 0 && failed) throw failed.reason;
    for (const [index, result] of results.entries())
      if (result.status === 'rejected') this.#log(`${upstreams[index]?.name ?? ''}: ${messageOf(result.reason)}`);
    return done;
  }

  async #rejected(reached: readonly Upstream[]): Promise<string | undefined> {
    // Whatever keeps a list from being read, the client will hear when it asks for it.
    const catalogues = await Promise.all(reached.map((upstream) => upstream.catalogue().catch(() => undefined)));
    const lines = catalogues.flatMap((catalogue) =>
      (catalogue?.skipped ?? []).filter(isForModels).map((each) => `- ${rejectedLine(each)}`),
    );
    if (lines.length === 0) return undefined;
    return ['Not offered, because the server describes these tools in a way that no client can read:', ...lines].join(
      '\n',
    );
  }

  /**
   * The tools by the names that clients know them by.
   *
   * @param isFresh whether the servers are asked again
   * @throws McpError where the user fixed arguments of a tool that there is not, FixedArgumentsError where it has no such
   *   argument; of several servers, that one has no tools
   */
  async tools(signal?: AbortSignal, isFresh = false): Promise<OwnedTools> {
    const before = this.#tools?.catalogues ?? [];
    if (isFresh) await this.reachable();
    const catalogues = await Promise.all(
      this.upstreams.map((upstream, index) => this.#catalogue(upstream, before[index], signal, isFresh)),
    );
    const known = this.#tools;
    if (known?.catalogues.every((catalogue, index) => catalogue === catalogues[index])) return known.byName;
    const byName = new Map<string, OwnedTool>();
    for (const [index, upstream] of this.upstreams.entries())
      for (const tool of this.#toolsOf(upstream, catalogues[index], byName.keys())) byName.set(tool.model.name, tool);
    this.#tools = { catalogues, byName };
    return byName;
  }

  /** The tools that were rejected, with those who have them. */
  get rejected(): (readonly [Upstream, SkippedTool])[] {
    const catalogues = this.#tools?.catalogues ?? [];
    return this.upstreams.flatMap((upstream, index) =>
      (catalogues[index]?.skipped ?? []).map((tool) => [upstream, tool] as const),
    );
  }

  /** One that is away keeps nobody from the tools of the others; who calls a tool of its own hears why it fails. */
  async #catalogue(
    upstream: Upstream,
    before: Catalogue | undefined,
    signal: AbortSignal | undefined,
    isFresh: boolean,
  ): Promise<Catalogue | undefined> {
    if (!this.single && upstream.isDown) return before;
    try {
      if (!this.single) await upstream.openInTime();
      return await upstream.catalogue(signal, isFresh);
    } catch (error) {
      if (this.single && (isFresh || upstream.isRestricted)) throw error;
      this.#log(`${upstream.name}: ${messageOf(error)}`);
      return upstream.isLate ? before : undefined;
    }
  }

  #toolsOf(upstream: Upstream, catalogue: Catalogue | undefined, taken: Iterable<string>): OwnedTool[] {
    if (!catalogue) return [];
    try {
      const fixed = new Map(
        Object.entries(upstream.fixed).map(([name, values]) => {
          const tool = catalogue.find(name);
          if (!tool) throw new McpError(noSuchTool(name, catalogue), { code: 'INVALID_ADDRESS' });
          return [name, fixedForTool(tool, values)];
        }),
      );
      const models = modelTools(catalogue.tools, {
        ...(!this.single && { prefix: upstream.name, taken }),
        fixed: ({ name }) => Object.keys(fixed.get(name) ?? {}),
      });
      return models.map((model) => ({
        upstream,
        fixed: fixed.get(model.tool.name),
        model: this.single ? { ...model, name: model.tool.name } : model,
      }));
    } catch (error) {
      if (this.single) throw error;
      this.#log(`${upstream.name}: ${messageOf(error)}`);
      return [];
    }
  }
}

/** What nobody approved may have been written to be read by a model. */
function isForModels({ reason }: SkippedTool): boolean {
  return reason.code !== 'changed-since-approved' && reason.code !== 'not-approved';
}

export function rejectedLine({ name, position, reason }: SkippedTool): string {
  return `${name === undefined ? `tool ${position + 1}` : quote(name)}: ${visibleLine(reason.message)}`;
}

function noSuchTool(name: string, { tools }: Catalogue): string {
  const offered = tools.map((tool) => quote(tool.name)).join(', ');
  return `Arguments are fixed for the tool ${quote(name)}, which there is not. The server offers: ${shortened(offered, 600)}.`;
}

const capabilitiesOfAll = ['tools', 'prompts', 'resources', 'completions', 'logging'];

/** Tasks are known by names that only their own server knows. */
const capabilitiesOfOne = ['tasks', 'extensions'];

/** What can be done through here: a capability of which nothing is known here would promise what is refused. */
function knownCapabilities(capabilities: JsonObject, isSingle: boolean): JsonObject {
  const known = isSingle ? [...capabilitiesOfAll, ...capabilitiesOfOne] : capabilitiesOfAll;
  return Object.fromEntries(Object.entries(capabilities).filter(([name]) => known.includes(name)));
}

function merged(all: readonly JsonObject[]): JsonObject {
  const result: Record<string, object> = {};
  for (const [name, value] of all.flatMap((capabilities) => Object.entries(capabilities))) {
    const flags = Object.entries(isObject(value) ? value : {}).filter(([, isSet]) => isSet === true);
    result[name] = { ...result[name], ...Object.fromEntries(flags) };
  }
  return result;
}

function together(texts: readonly (string | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined && text !== '');
  return said.length === 0 ? undefined : said.join('\n\n');
}
