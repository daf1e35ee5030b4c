import { envelope } from './envelope.js';
import type { Received } from './in-front.js';

/** Clients of both revisions that keep every received text, and answer each question with their own mark. */
export interface RawClient {
  readonly received: string[];
  /** Calls the tool `ask`. @returns the text of the result */
  call(args: object): Promise<string>;
  close(): Promise<void>;
}

export type Headers = Record<string, string>;

export const postHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** @param message a message's text, or a message without the members of JSON-RPC */
export function post(url: string, message: object | string, headers: Headers = {}, signal: AbortSignal | null = null) {
  const body = typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message });
  return fetch(url, { method: 'POST', headers: { ...postHeaders, ...headers }, body, signal });
}

/** The headers of a call of 2026-07-28. */
export const callHeaders = (name: string): Headers => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
});

export function authorization(token: string | undefined): Headers {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

const capabilities = { elicitation: {} };

export function callOf(name: string, id: number | string = 1, args: object = {}, more: object = {}) {
  return { id, method: 'tools/call', params: { name, arguments: args, ...more } };
}

/** A call of 2026-07-28, whose client can be asked. */
export function statelessCall(name: string, id = 1, more: object = {}) {
  return callOf(name, id, {}, { ...envelope(capabilities), ...more });
}

/** Begins a session of 2025-11-25. */
export async function begun(url: string, token?: string) {
  const params = { protocolVersion: '2025-11-25', clientInfo: { name: 'same', version: '1' }, capabilities };
  const response = await post(url, { id: 'i', method: 'initialize', params }, authorization(token));
  const text = await response.text();
  const headers: Headers = {
    'mcp-session-id': response.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
    ...authorization(token),
  };
  return {
    headers,
    status: response.status,
    /** The process id of a server that is named after it. */
    pid: Number(/"serverInfo":\{"name":"(\d+)"/.exec(text)?.[1]),
    send: (message: object) => post(url, message, headers),
    /** Opens the stream of unasked messages, or continues it after that event. */
    listen: (lastEventId?: string, signal?: AbortSignal) => {
      const more: Headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      return fetch(url, { headers: { ...headers, ...more, accept: 'text/event-stream' }, ...(signal && { signal }) });
    },
    end: () => fetch(url, { method: 'DELETE', headers }),
  };
}

/** A client of 2025-11-25, with a session. */
export async function handshakeClient(url: string, mark: string, token?: string): Promise<RawClient> {
  const received: string[] = [];
  const over = new AbortController();
  let nextId = 0;
  const session = await begun(url, token);
  const answer = ({ id, method }: Received) => {
    if (method !== 'elicitation/create') return;
    void session.send({ id, result: { action: 'accept', content: { name: mark } } }).catch(() => {});
  };
  await session.send({ method: 'notifications/initialized' });
  void answerIn(await session.listen(undefined, over.signal), received, answer).catch(() => {});
  return {
    received,
    call: async (args) => textOf(await answerIn(await session.send(callOf('ask', nextId++, args)), received, answer)),
    async close() {
      over.abort();
      await session.end();
    },
  };
}

/** A client of 2026-07-28. */
export function statelessClient(url: string, mark: string, token?: string): RawClient {
  const received: string[] = [];
  let nextId = 0;
  return {
    received,
    async call(args) {
      let more = envelope(capabilities);
      for (;;) {
        const response = await post(url, callOf('ask', nextId++, args, more), {
          ...callHeaders('ask'),
          ...authorization(token),
        });
        const message = await answerIn(response, received, () => {});
        const { requestState, inputRequests } = message?.result ?? {};
        if (inputRequests === undefined) return textOf(message);
        const accepted = { action: 'accept', content: { name: mark } };
        const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((each) => [each, accepted]));
        more = { ...envelope(capabilities), requestState, inputResponses };
      }
    },
    close: () => Promise.resolve(),
  };
}

function textOf(message: Partial<Received> | undefined): string {
  return message?.result?.content[0]?.text ?? JSON.stringify(message);
}

/**
 * Reads a response to its end.
 *
 * @returns its last answer
 */
async function answerIn(response: Response, received: string[], onMessage: (message: Received) => void) {
  let answer: Partial<Received> | undefined;
  const take = (text: string) => {
    if (text.trim() === '') return;
    received.push(text);
    const message = JSON.parse(text) as Received;
    if (message.method === undefined) answer = message;
    else onMessage(message);
  };
  if (response.headers.get('content-type') !== 'text/event-stream') {
    take(await response.text());
    return answer;
  }
  let rest = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) take(line.slice(5));
  }
  return answer;
}
