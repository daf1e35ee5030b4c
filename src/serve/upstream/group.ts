import { exposedTools, fixedForTool, McpError } from '../../internal.js';
import type {
  Catalogue,
  CatalogueTool,
  ExposedToolsOptions,
  FixedArguments,
  ModelTool,
  SkippedTool,
  ToolSearch,
} from '../../internal.js';
import { isObject, messageOf, quote, quotedLines, shortened, visibleLine, type JsonObject } from '../../json/index.js';
import type { Introduction } from '../revisions.js';
import { Lists } from './lists.js';
import { Upstream, type NamedServer, type Owner, type UpstreamOptions } from './upstream.js';

/** A tool, and the server that has it. */
export interface OwnedTool {
  readonly tool: CatalogueTool;
  readonly upstream: Upstream;
  readonly fixed: FixedArguments | undefined;
}

/** The tools of all servers. */
export interface ServedTools {
  /** What `tools/list` gives: all of them, or what searches them. */
  readonly sent: readonly ModelTool[];
  readonly search: ToolSearch | undefined;
  /** By the names that clients know them by; the search tools are of no server. */
  readonly owned: ReadonlyMap<string, OwnedTool>;
}

export interface GroupOptions extends UpstreamOptions, Pick<ExposedToolsOptions, 'toolSearch' | 'always'> {}

/**
 * All servers of one principal. Of a single one everything stays as it is; of several, tools and prompts have the name
 * of their server in front, and one that is slow or fails does not keep the others.
 */
export class Group {
  readonly upstreams: readonly Upstream[];
  /** The only server, where there is no other. */
  readonly single: Upstream | undefined;
  /** Their prompts and resources. */
  readonly lists: Lists;
  #tools: ServedTools | undefined;
  #catalogues: readonly (Catalogue | undefined)[] = [];

  constructor(
    servers: readonly NamedServer[],
    owner: Owner,
    readonly options: GroupOptions,
  ) {
    this.upstreams = servers.map((server) => new Upstream(server, owner, options));
    this.single = servers.length === 1 ? this.upstreams[0] : undefined;
    this.lists = new Lists(this, options.log);
  }

  async close(): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
  }

  /** What the servers say of themselves, together; tools that were skipped are named in the instructions. */
  async introduction(): Promise<Introduction> {
    const reached = await this.reachable();
    const { single } = this;
    // What keeps a list from being read is the answer to the client's request for it.
    const catalogues = await Promise.all(reached.map((upstream) => upstream.catalogue().catch(() => undefined)));
    const instructions = catalogues.map((catalogue, index) => {
      const text = catalogue?.instructions;
      return single || text === undefined ? text : `${reached[index]?.name}:\n${quotedLines(text)}`;
    });
    const skipped = catalogues.flatMap((catalogue) => catalogue?.skipped ?? []).filter(isForModels);
    if (skipped.length > 0)
      instructions.push([skippedTitle, ...skipped.map((tool) => `- ${skippedLine(tool)}`)].join('\n'));
    const all = reached.map(({ handshake }) => handshake?.capabilities ?? {});
    const name = single?.name ?? 'mcp-verbatim';
    return {
      capabilities: single ? known(all[0] ?? {}, capabilitiesOfOne) : merged(all),
      serverInfo: single?.handshake?.serverInfo ?? { name, version: '0' },
      instructions: instructions.filter(Boolean).join('\n\n') || undefined,
    };
  }

  /**
   * Opens the servers. Of several, one that fails or takes long is left out, unless none is there sooner.
   *
   * @throws McpError where none can be reached
   */
  async reachable(): Promise<Upstream[]> {
    const opening = Promise.any(this.upstreams.map((upstream) => upstream.open()));
    opening.catch(() => {}); // thrown below, where none is there
    if (!this.single) await Promise.all(this.upstreams.map(({ started }) => started));
    await opening.catch((error: unknown) => {
      throw (error as AggregateError).errors[0]; // as Promise.any rejects
    });
    return this.#openOnes;
  }

  /** Those that are open, without another attempt at the others. */
  async open(): Promise<Upstream[]> {
    return this.#openOnes.length > 0 ? this.#openOnes : this.reachable();
  }

  get #openOnes(): Upstream[] {
    return this.upstreams.filter(({ isOpen }) => isOpen);
  }

  /** What each server gives; of several, one that fails is left out as long as there are others. */
  async ofEach<T>(upstreams: readonly Upstream[], work: (upstream: Upstream) => Promise<T>): Promise<T[]> {
    const results = await Promise.allSettled(upstreams.map(work));
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = results.find((result) => result.status === 'rejected');
    if (done.length === 0 && failed) throw failed.reason;
    for (const [index, result] of results.entries())
      if (result.status === 'rejected')
        this.options.log(`${upstreams[index]?.name ?? ''}: ${messageOf(result.reason)}`);
    return done;
  }

  /**
   * @param isFresh whether the servers are asked again
   * @throws McpError where the user fixed arguments of a tool that does not exist, FixedArgumentsError where it has no
   *   such argument; of several servers, that one has no tools
   */
  async tools(signal?: AbortSignal, isFresh = false): Promise<ServedTools> {
    await (isFresh ? this.reachable() : this.open());
    const before = this.#catalogues;
    const catalogues = await Promise.all(
      this.upstreams.map((upstream, index) => this.#catalogue(upstream, before[index], signal, isFresh)),
    );
    if (this.#tools && catalogues.every((catalogue, index) => catalogue === before[index])) return this.#tools;
    this.#tools = this.#served(catalogues);
    this.#catalogues = catalogues;
    return this.#tools;
  }

  /** A line for each tool that was skipped. */
  get skipped(): string[] {
    return this.upstreams.flatMap(({ name }, index) =>
      (this.#catalogues[index]?.skipped ?? []).map((tool) => `${name}: skipped ${skippedLine(tool)}`),
    );
  }

  /** Of several servers, one that fails keeps the tools that it had: a call of one is answered with the reason. */
  async #catalogue(
    upstream: Upstream,
    before: Catalogue | undefined,
    signal: AbortSignal | undefined,
    isFresh: boolean,
  ): Promise<Catalogue | undefined> {
    if (this.single) return upstream.catalogue(signal, isFresh);
    if (!upstream.isOpen) return before;
    return upstream.catalogue(signal, isFresh).catch((error: unknown) => {
      this.options.log(`${upstream.name}: ${messageOf(error)}`);
      return before;
    });
  }

  #served(catalogues: readonly (Catalogue | undefined)[]): ServedTools {
    const { toolSearch, always = [], log } = this.options;
    const servers = this.upstreams.map((upstream, index) => ({
      name: upstream.title,
      prefix: this.single ? '' : upstream.name,
      ...this.#withFixed(upstream, catalogues[index]),
    }));
    const keepsNames = this.single !== undefined;
    const { byServer, sent, search } = exposedTools(servers, { toolSearch, always, keepsNames });
    for (const name of always)
      if (!byServer.flat().some(({ tool }) => tool.name === name)) log(`--always: there is no tool "${name}"`);
    const owned = new Map<string, OwnedTool>();
    for (const [index, upstream] of this.upstreams.entries()) {
      const fixed = new Map(Object.entries(servers[index]?.fixed ?? {}));
      for (const { name, tool } of byServer[index] ?? [])
        owned.set(name, { tool, upstream, fixed: fixed.get(tool.name) });
    }
    return { sent, search, owned };
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
      if (this.single) throw error;
      this.options.log(`${upstream.name}: ${messageOf(error)}`);
      return { tools: [] };
    }
  }
}

const skippedTitle = 'Skipped, because the server describes these tools in a way that no client can read:';

/** Whether a model may read it: the text of a tool that was not approved may have been written for one. */
function isForModels({ reason }: SkippedTool): boolean {
  return reason.code !== 'changed-since-approved' && reason.code !== 'not-approved';
}

function skippedLine({ name, position, reason }: SkippedTool): string {
  return `${name === undefined ? `tool ${position + 1}` : quote(name)}: ${visibleLine(reason.message)}`;
}

function unknownFixed(name: string, { tools }: Catalogue): string {
  const names = shortened(tools.map((tool) => quote(tool.name)).join(', '), 600);
  return `Arguments are fixed for the tool ${quote(name)}, which does not exist. The server's tools: ${names}.`;
}

const capabilitiesOfAll = ['tools', 'prompts', 'resources', 'completions', 'logging'];
/** Tasks are known by names that only their own server knows. */
const capabilitiesOfOne = [...capabilitiesOfAll, 'tasks', 'extensions'];

/** The capabilities that are served: any other would promise requests that are refused. */
function known(capabilities: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(capabilities).filter(([name]) => names.includes(name)));
}

function merged(all: readonly JsonObject[]): JsonObject {
  const result: Record<string, object> = {};
  for (const [name, value] of all.flatMap((each) => Object.entries(known(each, capabilitiesOfAll)))) {
    const flags = Object.entries(isObject(value) ? value : {}).filter(([, isSet]) => isSet === true);
    result[name] = { ...result[name], ...Object.fromEntries(flags) };
  }
  return result;
}
