import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

/** How many events of a session are kept, for a client that lost its stream. */
const mostEvents = 500;

/** The latest events of one session, so that a stream that broke off can be taken up again (2025-11-25, Resumability). */
export class LatestEvents implements EventStore {
  readonly #events = new Map<string, { stream: string; message: JSONRPCMessage }>();
  #next = 0;

  storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = String(this.#next++);
    this.#events.set(id, { stream, message });
    const [oldest] = this.#events.keys();
    if (this.#events.size > mostEvents && oldest !== undefined) this.#events.delete(oldest);
    return Promise.resolve(id);
  }

  getStreamIdForEventId(id: string): Promise<string | undefined> {
    return Promise.resolve(this.#events.get(id)?.stream);
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const stream = this.#events.get(last)?.stream ?? '';
    for (const [id, event] of [...this.#events])
      // The first event of a stream is empty; it says only where the stream begins.
      if (event.stream === stream && Number(id) > Number(last) && 'jsonrpc' in event.message)
        await send(id, event.message);
    return stream;
  }
}
