import { distinctPrefixes, isUnapproved, toolSet } from '../../internal.js';
import type { SkippedTool, ToolSet, ToolView, ViewOptions } from '../../internal.js';
import { filtered, isObject, memberText, messageOf, quote, quotedLines, rewrittenText } from '../../json/index.js';
import { visibleLine } from '../../json/index.js';
import type { JsonObject } from '../../json/index.js';
import { type Introduction, serverInfoKey } from '../revisions.js';
import { wireSlice, type HostSession } from '../../mcp/index.js';
import { Upstream, type NamedServer, type Owner, type ServedCall, type UpstreamOptions } from './upstream.js';

export interface GroupOptions extends UpstreamOptions, Pick<ViewOptions, 'toolSearch' | 'always'> {}

export class Group {
  readonly upstreams: readonly Upstream[];
  readonly single: Upstream | undefined;
  readonly tools: ToolSet<HostSession, ServedCall, Upstream>;

  constructor(
    servers: readonly NamedServer[],
    owner: Owner,
    readonly options: GroupOptions,
  ) {
    const isSingle = servers.length === 1;
    const prefixes = isSingle ? [] : distinctPrefixes(servers.map(({ name }) => `${name}_`));
    this.upstreams = servers.map((server, index) => new Upstream(server, owner, options, prefixes[index]));
    this.single = isSingle ? this.upstreams[0] : undefined;
    const { toolSearch, always } = options;
    this.tools = toolSet(this.upstreams, { toolSearch, always, keepsNames: isSingle });
    for (const upstream of this.upstreams)
      upstream.admit = (signal) => this.tools.list({ signal }, (server) => server === upstream);
  }

  /** One of several servers that fails keeps its tools: calls are answered with the reason. @throws why no tool is there */
  async listed(signal?: AbortSignal, isFresh = false): Promise<ToolView<Upstream>> {
    await (isFresh ? this.reachable() : this.open());
    const view = await this.tools.list({ signal, isFresh }, ({ isOpen }) => isOpen);
    const problem = (this.single && view.servers.map(problemOf).find(Boolean)) ?? view.problem;
    if (problem !== undefined) throw problem as Error; // as a list throws
    return view;
  }

  async close(): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
  }

  async introduction(): Promise<Introduction> {
    const reached = await this.reachable();
    const { single } = this;
    // The client's own request for the list reports the error.
    await this.listed().catch((error: unknown) => this.options.log(messageOf(error)));
    const servers = this.tools.view().servers.filter(({ server }) => reached.includes(server));
    const instructions = servers.map(({ server, admission }) => {
      const text = admission?.catalogue.instructions;
      return single || text === undefined ? text : `${server.name}:\n${quotedLines(text)}`;
    });
    const skipped = servers.flatMap(({ admission }) => admission?.catalogue.skipped ?? []);
    const unreadable = skipped.filter((tool) => !isUnapproved(tool));
    if (unreadable.length > 0)
      instructions.push([skippedTitle, ...unreadable.map((tool) => `- ${skippedLine(tool)}`)].join('\n'));
    const all = reached.map(({ introduced }) => introduced.capabilities ?? {});
    const { wire, serverInfo = { name: single?.name ?? 'mcp-verbatim', version: '0' } } = single?.introduced ?? {};
    const text = (wire && wireSlice(wire, ['result'])) ?? '';
    const infoText = memberText(text, ['serverInfo']) ?? memberText(text, ['_meta', serverInfoKey]) ?? '';
    const capabilities = single ? known(all[0] ?? {}, capabilitiesOfOne) : merged(all);
    return {
      capabilities: rewrittenText(memberText(text, ['capabilities']) ?? '', capabilities),
      serverInfo: rewrittenText(infoText, serverInfo),
      instructions: instructions.filter(Boolean).join('\n\n') || undefined,
    };
  }

  /** Opens the servers, and waits for all that are in time, or else for the first. @throws McpError if none can be reached */
  async reachable(): Promise<Upstream[]> {
    const first = Promise.any(this.upstreams.map((upstream) => upstream.connected())).catch((error: unknown) => {
      throw (error as AggregateError).errors[0]; // as Promise.any rejects
    });
    const inTime = this.single ? [] : this.upstreams.map(({ waitedForStart }) => waitedForStart);
    await Promise.all([first, ...inTime]);
    return this.upstreams.filter(({ isOpen }) => isOpen);
  }

  async open(): Promise<void> {
    if (!this.upstreams.some(({ isOpen }) => isOpen)) await this.reachable();
  }

  /** The result of each server; a server that fails is left out if another one succeeds. */
  async ofEach<T>(upstreams: readonly Upstream[], work: (upstream: Upstream) => Promise<T>): Promise<T[]> {
    const results = await Promise.allSettled(upstreams.map(work));
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = results.find((result) => result.status === 'rejected');
    if (done.length === 0 && failed) throw failed.reason;
    for (const [index, result] of results.entries())
      if (result.status === 'rejected') upstreams[index]?.log(messageOf(result.reason));
    return done;
  }
}

/** Why no tool of a server can be called, or why its list could not be read again. */
export function problemOf({ error, admission }: ToolView<Upstream>['servers'][number]): unknown {
  return error ?? admission?.problem;
}

const skippedTitle = 'Skipped, because the server describes these tools in a way that no client can read:';

export function skippedLine({ name, position, reason }: SkippedTool): string {
  return `${name === undefined ? `tool ${position + 1}` : quote(name)}: ${visibleLine(reason.message)}`;
}

const capabilitiesOfAll = ['tools', 'prompts', 'resources', 'completions', 'logging'];
const capabilitiesOfOne = [...capabilitiesOfAll, 'tasks', 'extensions'];

/** The capabilities that are served: any other would promise requests that are refused. */
function known(capabilities: JsonObject, names: readonly string[]): JsonObject {
  return filtered(capabilities, (name) => names.includes(name));
}

function merged(all: readonly JsonObject[]): JsonObject {
  const result: Record<string, object> = {};
  for (const [name, value] of all.flatMap((each) => Object.entries(known(each, capabilitiesOfAll)))) {
    const flags = Object.entries(isObject(value) ? value : {}).filter(([, isSet]) => isSet === true);
    result[name] = { ...result[name], ...Object.fromEntries(flags) };
  }
  return result;
}
