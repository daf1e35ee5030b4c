import type { ServerResponse } from 'node:http';
import type { Wire } from '../clients/client.js';
import { codes } from '../errors.js';
import { type Outbox, outboxFor } from '../outbox.js';

/** A silent stream sends a comment after so many milliseconds, because proxies close silent connections. */
const keepAliveMs = 25_000;

type OnGivenUp = (reason: string) => void;

export function eventStream(outgoing: ServerResponse, onGivenUp: OnGivenUp, ofClient: Set<Outbox>): Outbox {
  outgoing.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  outgoing.flushHeaders();
  const outbox = outboxFor(outgoing, onGivenUp, ofClient);
  const timer = setInterval(() => outbox.write(':\n\n'), keepAliveMs).unref();
  outgoing.once('close', () => clearInterval(timer));
  return outbox;
}

/** @param id the event id to resume from; an empty text makes an event of the id and the retry time alone */
export function eventText(text: string, id?: number): string {
  const lines = [`id: ${id}`, text === '' ? 'retry: 1000' : 'event: message', `data: ${text}`];
  return `${lines.slice(id === undefined ? 1 : 0).join('\n')}\n\n`;
}

/** The response to one request of 2026-07-28: an answer, or events that end with the answer. */
export function responseWire(outgoing: ServerResponse, onGivenUp: OnGivenUp, ofClient: Set<Outbox>): Wire {
  let events: Outbox | undefined;
  const send = (text: string) => {
    events ??= eventStream(outgoing, onGivenUp, ofClient);
    events.write(eventText(text));
  };
  return {
    send,
    answer(_related, text, code = 0) {
      if (events) send(text);
      else {
        // An unknown method is HTTP's Not Found, a missing capability its Bad Request.
        const status = { [codes.methodNotFound]: 404, [codes.missingCapability]: 400 }[code] ?? 200;
        outgoing.writeHead(status, { 'content-type': 'application/json' });
        events = outboxFor(outgoing, onGivenUp, ofClient);
        events.write(text);
      }
      events.end();
    },
  };
}
