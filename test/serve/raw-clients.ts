/** Clients of both revisions that keep every text they are sent, and answer each question with their own mark. */
export interface RawClient {
  /** All that it was ever sent. */
  readonly received: string[];
  /** Calls the tool `ask`. @returns the text of the result */
  call(args: object): Promise<string>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly inputRequests?: object;
    readonly content?: readonly { readonly text: string }[];
  };
  readonly error?: object;
}

const clientInfo = { name: 'same', version: '1' };
const capabilities = { elicitation: {} };

/** One of 2025-11-25, with a session. */
export async function handshakeClient(url: string, mark: string, token?: string): Promise<RawClient> {
  const received: string[] = [];
  const over = new AbortController();
  let session: Record<string, string> = {};
  let nextId = 0;
  const send = async (message: object): Promise<Message | undefined> => {
    const response = await post(url, { jsonrpc: '2.0', ...message }, { ...session, ...authorization(token) });
    const id = response.headers.get('mcp-session-id');
    if (id !== null) session = { 'mcp-session-id': id };
    return answerIn(response, received, answer);
  };
  const answer = ({ id, method }: Message) => {
    if (method === 'elicitation/create')
      void send({ id, result: { action: 'accept', content: { name: mark } } }).catch(() => {});
  };
  const params = { protocolVersion: '2025-11-25', clientInfo, capabilities };
  await send({ id: nextId++, method: 'initialize', params });
  await send({ method: 'notifications/initialized' });
  const headers = { ...session, ...authorization(token), accept: 'text/event-stream' };
  const unasked = await fetch(url, { headers, signal: over.signal });
  void answerIn(unasked, received, answer).catch(() => {});
  return {
    received,
    call: async (args) => textOf(await send(callOf(nextId++, args))),
    async close() {
      over.abort();
      await fetch(url, { method: 'DELETE', headers: { ...session, ...authorization(token) } });
    },
  };
}

/** One of 2026-07-28. */
export function statelessClient(url: string, mark: string, token?: string): RawClient {
  const received: string[] = [];
  let nextId = 0;
  const key = (name: string) => `io.modelcontextprotocol/${name}`;
  const _meta = {
    [key('protocolVersion')]: '2026-07-28',
    [key('clientInfo')]: clientInfo,
    [key('clientCapabilities')]: capabilities,
    [key('logLevel')]: 'debug',
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'ask' };
  return {
    received,
    async call(args) {
      let more: object = { _meta };
      for (;;) {
        const response = await post(url, callOf(nextId++, args, more), { ...headers, ...authorization(token) });
        const message = await answerIn(response, received, () => {});
        const { resultType, requestState, inputRequests = {} } = message?.result ?? {};
        if (resultType !== 'input_required') return textOf(message);
        const answers = Object.keys(inputRequests).map((each) => [each, { action: 'accept', content: { name: mark } }]);
        more = { _meta, requestState, inputResponses: Object.fromEntries(answers) as object };
      }
    },
    close: () => Promise.resolve(),
  };
}

function callOf(id: number, args: object, more: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'ask', arguments: args, ...more } };
}

function textOf(message: Message | undefined): string {
  return message?.result?.content?.[0]?.text ?? JSON.stringify(message);
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function post(url: string, message: object, headers: Record<string, string>): Promise<Response> {
  const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return fetch(url, { method: 'POST', headers: { ...types, ...headers }, body: JSON.stringify(message) });
}

/** Reads a response to its end. @returns the last message that is an answer */
async function answerIn(
  response: Response,
  received: string[],
  onMessage: (message: Message) => void,
): Promise<Message | undefined> {
  let answer: Message | undefined;
  const take = (text: string) => {
    if (text.trim() === '') return;
    received.push(text);
    const message = JSON.parse(text) as Message;
    if (message.method === undefined) answer = message;
    else onMessage(message);
  };
  if (response.headers.get('content-type') !== 'text/event-stream') {
    take(await response.text());
    return answer;
  }
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) take(line.slice(5));
  }
  return answer;
}
