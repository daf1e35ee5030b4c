import { quote, type JsonObject } from '../../json/index.js';
import { anySignal } from '../runtime/node-runtime.js';
import { answerText, type AnswerText, type Message, type RequestId, type WireText } from '../wire/envelope.js';
import { wireSlice } from '../wire/wire-text.js';
import type { PendingRequests } from './pending-requests.js';

export interface Origin {
  readonly wire: WireText;
  readonly within?: RequestId | undefined;
  readonly context?: unknown;
}

export interface ServerRequest extends Origin {
  readonly method: string;
  readonly params: JsonObject;
  readonly signal: AbortSignal;
}

/** The limit for a server's open requests; more than the calls that may wait for people. Others get no answer. */
const mostAnswersAtOnce = 128;

interface Answering {
  readonly revision: () => { readonly asksInResults: boolean };
  readonly pending: PendingRequests;
  readonly onRequest: ((request: ServerRequest) => Promise<AnswerText>) | undefined;
  readonly send: (text: string, exchange: AbortController) => Promise<unknown>;
}

/** Answers the server's requests: a ping at once, questions for the user through the request that they belong to. */
export class ServerRequests {
  readonly #underWay = new Map<RequestId, AbortController>();

  constructor(readonly answering: Answering) {}

  /** Never rejects. */
  async answer(
    { id, method, params, wire }: Extract<Message, { kind: 'request' }>,
    within: RequestId | undefined,
  ): Promise<void> {
    if (this.#underWay.size >= mostAnswersAtOnce || this.#underWay.has(id)) return;
    const exchange = new AbortController();
    this.#underWay.set(id, exchange);
    try {
      const context = this.answering.pending.find(within)?.options.context;
      const asked = { method, params, wire, within, context, signal: exchange.signal };
      // If nobody can answer, the server gets an error rather than nothing.
      const answer = (await this.#answerTo(asked).catch(() => undefined)) ?? unknownMethod(method);
      const idText = wireSlice(wire, ['id']) ?? JSON.stringify(id);
      if (!exchange.signal.aborted) await this.answering.send(answerText(idText, answer), exchange);
    } catch {
      // The connection is gone.
    } finally {
      this.#underWay.delete(id);
    }
  }

  takenBack(id: RequestId, reason: unknown): void {
    this.#underWay.get(id)?.abort(reason);
  }

  end(): void {
    for (const exchange of this.#underWay.values()) exchange.abort();
  }

  async #answerTo(request: ServerRequest): Promise<AnswerText | undefined> {
    if (!this.answering.revision().asksInResults) {
      if (request.method === 'ping') return { result: '{}' };
      if (request.method === 'elicitation/create') return this.#ofUser(request);
    }
    return this.answering.onRequest?.(request);
  }

  /**
   * Lets the request whose response carried the question answer it, or else the latest request that the server may ask
   * about; if that may be any of them, all wait. Without one, the host is asked.
   */
  #ofUser(request: ServerRequest): Promise<AnswerText> | undefined {
    const { pending, onRequest } = this.answering;
    const { params, within, signal: taken } = request;
    const own = pending.find(within);
    const waiting = (own ? [own] : pending.all()).filter(({ options }) => options.onElicitation);
    const asking = waiting.at(-1);
    if (!asking?.options.onElicitation) return onRequest?.(request);
    for (const { deadline } of waiting) deadline.pause();
    const signal = anySignal([taken, asking.over]);
    return asking.options
      .onElicitation(params, { signal, isOurs: waiting.length === 1 })
      .catch((error: unknown) => {
        asking.giveUp(error);
        return { action: 'cancel' };
      })
      .then((result) => ({ result: JSON.stringify(result) }))
      .finally(() => {
        for (const { deadline } of waiting) deadline.resume();
      });
  }
}

/** JSON-RPC 2.0, 5.1. */
function unknownMethod(method: string): AnswerText {
  return { error: JSON.stringify({ code: -32601, message: `This client does not know ${quote(method)}.` }) };
}
