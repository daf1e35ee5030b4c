import { version } from '../../package.json';
import type { JsonObject } from '../json/index.js';
import { visibleLine } from '../json/index.js';
import type { AnswerText } from '../mcp/index.js';
import { addressSecrets, secretMask } from '../secrets/index.js';
import { SuspendedCalls } from './clients/suspended.js';
import { Tools, type ToolSettings } from './clients/tools.js';
import type { Identity } from './revisions.js';
import { Group } from './upstream/group.js';
import type { SharedSessions } from './upstream/shared-sessions.js';
import type { NamedServer, Owner, Question } from './upstream/upstream.js';

/** What is served, and how. */
export interface ServeOptions extends ToolSettings {
  readonly servers: readonly NamedServer[];
  /** How long connecting to a server may take, and listing its tools, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Whether servers over HTTP that have no state (2026-07-28) have one session for all. */
  readonly shared?: boolean;
}

/** The same, with the one way to the log: each entry is one line, without secrets, in which nothing is an escape. */
export function withSafeLog(options: ServeOptions): ServeOptions {
  const mask = secretMask(options.servers.flatMap(({ address }) => [...addressSecrets(address)]));
  const log = (line: string) => {
    options.log(visibleLine(mask(line)));
  };
  return { ...options, log };
}

/** Whoever is behind a token, or uses this machine, in 2026-07-28: its clients come and go with each request. */
export const statelessIdentity: Identity = {
  era: 'stateless',
  clientInfo: { name: 'mcp-verbatim', version },
  // What these clients are asked is asked of those that can answer, each in its own request.
  capabilities: { elicitation: { form: {}, url: {} } },
};

type Listener = (method: string, params: JsonObject, paramsText: string) => void;

/** The one for whom servers are opened. It owns its sessions, processes, questions, logs and subscriptions. */
export class Principal implements Owner {
  readonly identity: Identity;
  readonly group: Group;
  readonly tools: Tools;
  readonly suspended = new SuspendedCalls();
  /** Who hears of changes, and of what belongs to no request. */
  readonly listeners = new Set<Listener>();
  /** Asks the client, where there is only one. */
  onQuestion: ((question: Question) => Promise<AnswerText>) | undefined;

  constructor(options: ServeOptions, identity: Identity, sharedSessions?: SharedSessions) {
    this.identity = identity;
    this.group = new Group(options.servers, this, { ...options, sharedSessions });
    this.tools = new Tools(this.group, options);
  }

  announce(method: string, params: JsonObject, paramsText: string): void {
    for (const listener of this.listeners) listener(method, params, paramsText);
  }

  ask(question: Question): Promise<AnswerText> {
    return this.onQuestion?.(question) ?? Promise.reject(new Error('There is nobody to ask.'));
  }

  async close(): Promise<void> {
    this.suspended.close();
    await this.group.close();
  }
}
