import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { readAnswer, type SentRequest } from './answers.js';
import type { BoundedFetch } from './bounded-fetch.js';
import { readOpening } from './opening.js';

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** What an event stream begins with: the answer, and what may follow it; or else the stream, as if nobody had read from it. */
export type StreamOutcome =
  { messages: JSONRPCMessage[]; later: Promise<Response | undefined> } | { response: Response };

export interface AnswerStreams {
  read(request: SentRequest, response: Response, body: ReadableStream<Uint8Array>): Promise<StreamOutcome>;
  /** Ends the streams that servers have left open behind their answers. */
  close(): void;
}

/** Reads the event streams of a connection as far as their answers. */
export function answerStreams(base: BoundedFetch): AnswerStreams {
  const readers = new Set<Reader>();

  /** What follows the answer, which is rare. */
  async function readLater(rest: Uint8Array, reader: Reader, response: Response): Promise<Response | undefined> {
    const more = rest.length > 0 ? rest : (await reader.read()).value;
    return more && streamOf(more, reader, response);
  }

  function streamOf(read: Uint8Array, reader: Reader, { headers }: Response): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        if (read.length > 0) controller.enqueue(read);
      },
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return base.bound(new Response(body, { headers }));
  }

  return {
    async read(request, response, body) {
      const reader = body.getReader();
      readers.add(reader);
      void reader.closed.catch(() => {}).then(() => readers.delete(reader));
      const { data, rest, read } = await readOpening(reader, base.maxMessageBytes);
      const answer = data === undefined ? undefined : readAnswer(request, data);
      if (!answer) return { response: streamOf(read, reader, response) };
      return { messages: [answer], later: readLater(rest, reader, response) };
    },
    close() {
      for (const reader of readers) void reader.cancel().catch(() => {});
    },
  };
}
