import { McpError } from '../internal.js';
import { messageOf } from '../json/index.js';
import { Tools } from './clients/tools.js';
import { type ServeOptions, statelessIdentity, withSafeLog } from './principal.js';
import { Group } from './upstream/group.js';
import type { Owner } from './upstream/upstream.js';

const nobody: Owner = {
  identity: statelessIdentity,
  announce: () => {},
  ask: () => Promise.reject(new Error('No client can answer this question.')),
};

/** The servers, opened once without a client, so that the log names their problems before the first client comes. */
export class Trial {
  readonly group: Group;
  readonly tools: Tools;

  constructor(readonly options: ServeOptions) {
    this.group = new Group(options.servers, nobody, options);
    this.tools = new Tools(this.group, options);
  }

  /** @throws McpError if nothing can ever be served: no program starts, or an option names an unknown tool */
  async run(): Promise<void> {
    const { upstreams } = this.group;
    try {
      await this.tools.list();
    } catch (error) {
      const isFinal =
        (error instanceof McpError && error.code === 'UNKNOWN_TOOL') ||
        upstreams.every(({ address, state }) => address.transport === 'stdio' && state === 'failed');
      if (isFinal) throw error;
      if (upstreams.some(({ state }) => state === 'open')) this.options.log(messageOf(error));
    } finally {
      await this.group.close();
    }
  }
}

/** Connects, and returns the tools that would be exposed: name, server, own name. @throws McpError if no server can be reached */
export async function dryRun(options: ServeOptions): Promise<{ rows: readonly string[][]; isWhole: boolean }> {
  const { group, tools } = new Trial(withSafeLog(options));
  try {
    await tools.list();
    const { sent, find } = group.tools.view();
    const rows = sent.map(({ name, tool }) => [name, find(name)?.server.name ?? '', tool.name]);
    return { rows, isWhole: group.upstreams.every(({ isOpen }) => isOpen) };
  } finally {
    await group.close();
  }
}
