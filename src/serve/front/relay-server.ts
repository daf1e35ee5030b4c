import { Server, type Transport } from '@modelcontextprotocol/server';
import type { Introduction } from '../revisions.js';

/**
 * What the SDK's entries are given as the server of an exchange. They find out how a client speaks, refuse what is no
 * MCP, open streams and serve subscriptions; the messages themselves go past the SDK's protocol class, which would
 * parse every result and write it anew.
 */
/* eslint-disable @typescript-eslint/no-deprecated -- the class for what is no server of tools written by hand, as its note says */
export class RelayServer extends Server {
  readonly #attach: (transport: Transport) => void;
  #transport: Transport | undefined;

  constructor(introduced: Introduction | undefined, attach: (transport: Transport) => void) {
    const { name, version } = introduced?.serverInfo ?? {};
    super(
      { name: typeof name === 'string' ? name : 'mcp-verbatim', version: typeof version === 'string' ? version : '0' },
      { capabilities: introduced?.capabilities ?? {} },
    );
    this.#attach = attach;
  }

  override async connect(transport: Transport): Promise<void> {
    this.#transport = transport;
    this.#attach(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      this.onclose?.();
    };
    await transport.start();
  }

  override async close(): Promise<void> {
    await this.#transport?.close();
  }
}
