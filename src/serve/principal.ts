import { version } from '../../package.json';
import { suspendableCalls } from './clients/suspendable.js';
import { toolsOf, type ToolSettings } from './clients/tools.js';
import { codes, Refusal } from './errors.js';
import type { Log } from './log.js';
import { clientTitle, type Identity } from './revisions.js';
import { Group } from './upstream/group.js';
import { listsOf } from './upstream/lists.js';
import type { NamedServer, Owner, UpstreamOptions } from './upstream/upstream.js';

export interface ServeOptions extends ToolSettings, UpstreamOptions {
  readonly servers: readonly NamedServer[];
}

/** The clients of 2026-07-28. A question is passed to the client whose call caused it, if that client can answer. */
export const statelessIdentity: Identity = {
  isStateless: true,
  clientInfo: { name: 'mcp-verbatim', version },
  capabilities: { elicitation: { form: {}, url: {} } },
};

/** The most requests of a principal at a time, and their most characters together. */
export const maxRequests = 4096;
const maxRequestsLength = 64 * 1024 * 1024;

const tooMany = `Too many requests in flight (limit: ${maxRequests}, or ${maxRequestsLength / 1024 ** 2} MB in total). Retry after some have finished.`;

/** The owner of opened servers: of their sessions, processes, questions, logs and subscriptions. */
export class Principal implements Owner {
  readonly group: Group;
  readonly tools: ReturnType<typeof toolsOf>;
  readonly lists: ReturnType<typeof listsOf>;
  readonly suspended = suspendableCalls();
  readonly tasks = new Set<unknown>();
  readonly listeners = new Set<NonNullable<Owner['announce']>>();
  ask?: NonNullable<Owner['ask']>;
  readonly #log: Log;
  #requests = 0;
  #requestsLength = 0;

  constructor(
    options: ServeOptions,
    readonly identity: Identity,
    session?: string,
  ) {
    const log: Log = (text, about) => options.log(text, { ...about, session });
    this.group = new Group(options.servers, this, { ...options, log });
    this.tools = toolsOf(this.group, { ...options, log });
    this.lists = listsOf(this.group);
    const { isStateless, clientInfo } = identity;
    this.#log = (text, about) =>
      log(text, { client: isStateless ? 'all of 2026-07-28' : clientTitle(clientInfo), ...about });
    this.#log('session started');
  }

  readonly announce: NonNullable<Owner['announce']> = (method, params, paramsText) => {
    for (const listener of this.listeners) listener(method, params, paramsText);
  };

  async underWay<T>(length: number, work: () => Promise<T>): Promise<T> {
    // A single request may be longer.
    if (this.#requests >= maxRequests || (this.#requests > 0 && this.#requestsLength + length > maxRequestsLength))
      throw new Refusal(codes.internal, tooMany);
    this.#requests++;
    this.#requestsLength += length;
    try {
      return await work();
    } finally {
      this.#requests--;
      this.#requestsLength -= length;
    }
  }

  async close(reason: string): Promise<void> {
    this.#log('session ended', { reason });
    this.suspended.close();
    await this.group.close();
  }
}
