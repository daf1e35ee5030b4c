import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Reply } from '../../../../../test-support/model/script.js';
import { barrier } from '../../../../../test-support/servers/barrier.js';
import { type Exchange, startHttpServer } from '../../../../../test-support/servers/http.js';
import type { Offer } from '../../../../../test-support/n8n/offers.js';
import { childrenOf, sourceAt } from '../../../../../test-support/n8n/source.js';
import { chatCompletions } from './chat-completions.js';
import { record, type Protocol } from './protocol.js';
import { anthropic, bedrock, cohere, dashscope, gemini, ollama } from './providers.js';
import { responses } from './responses.js';

/** The APIs of all providers on loopback, for n8n. */
export interface Endpoint extends AsyncDisposable {
  readonly origin: string;
  /** The requests that were part of a conversation, oldest first, byte for byte. */
  readonly requests: { path: string; body: string }[];
  /** Serves a connection that did not come to the endpoint's own port. */
  accept(socket: Duplex): void;
  /**
   * Replaces the script, with one reply for each turn of the model since the user's last message, and forgets the
   * requests.
   */
  play(...replies: [Reply, ...Reply[]]): void;
  /** Holds the next requests until this many have arrived, which proves that they ran at the same time. */
  gather(requests: number): void;
  /** Holds the answer to one of the next requests; 1 is the first. */
  pauseAt(request: number): { reached: Promise<void>; end(): void };
  /** The tools of a request (by default the first), with the exact text of their schemas. */
  offers(request?: number): Offer[];
  /** The results of its calls that the model read in the last request. */
  results(): string[];
}

const protocols = [chatCompletions, responses, anthropic, gemini, ollama, bedrock, cohere, dashscope];

export async function startEndpoint(): Promise<Endpoint> {
  const requests: Endpoint['requests'] = [];
  let script: Reply[] = [];
  let gathering = barrier(0);
  let pause: { at: number; reach(): void; ended: Promise<void> } | undefined;

  const server = await startHttpServer((exchange) =>
    serve(exchange).catch((error: unknown) => fail(exchange.response, 500, String(error))),
  );

  async function serve({ verb, path: address, text: body, body: json, response }: Exchange): Promise<void> {
    const path = pathOf(address);
    const protocol = protocolOf(path);
    if (protocol === undefined) {
      fail(response, 404, `No such route: ${verb} ${path}`);
      return;
    }
    requests.push({ path, body });
    await gathering.arrive();
    if (requests.length === pause?.at) {
      pause.reach();
      await pause.ended;
    }
    const turns = protocol.turns(json);
    const answers = turns
      .slice(turns.findLastIndex(({ from }) => from === 'user') + 1)
      .filter(({ from }) => from === 'model');
    protocol.respond(response, json, script[Math.min(answers.length, script.length - 1)] ?? { text: 'Hello.' });
  }

  return {
    origin: server.origin,
    requests,
    accept: server.accept,
    play(...replies) {
      script = replies;
      requests.length = 0;
    },
    gather(requests) {
      gathering = barrier(requests);
    },
    pauseAt(request) {
      let end = () => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      const reached = new Promise<void>((reach) => (pause = { at: requests.length + request, reach, ended }));
      return { reached, end };
    },
    offers: (at = 0) => offersIn(requests[at]),
    results() {
      const last = requests.at(-1);
      const turns = last === undefined ? [] : (protocolOf(last.path)?.turns(record(JSON.parse(last.body))) ?? []);
      return turns.flatMap((turn) => (turn.from === 'tool' ? [turn.text] : []));
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function offersIn(request: { path: string; body: string } | undefined): Offer[] {
  const protocol = request && protocolOf(request.path);
  if (request === undefined || protocol === undefined) return [];
  return childrenOf(sourceAt(request.body, ...protocol.tools) ?? '[]').map(({ source }) => ({
    name: JSON.parse(sourceAt(source, ...protocol.toolName) ?? '""') as string, // every API's tools have names
    schema: sourceAt(source, ...protocol.toolSchema) ?? '',
  }));
}

function protocolOf(path: string): Protocol | undefined {
  return protocols.find(({ route }) => route.test(path));
}

function pathOf(url: string): string {
  return decodeURIComponent(new URL(url, 'http://model').pathname);
}

function fail(response: ServerResponse, status: number, message: string): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }));
}
