import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client as ClientOfV2, StreamableHTTPClientTransport as TransportOfV2 } from '@modelcontextprotocol/client';
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportOfV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { requiredPackages } from '../../test-support/packages.js';
import { handshakeClient, statelessClient } from '../../test/serve/raw-clients.js';

/** A client that calls the tool `ask`, and answers each question with its mark. */
interface Marked {
  /** Every text that it gets. */
  readonly received: string[];
  call(args: object, signal: AbortSignal): Promise<unknown>;
  close(): Promise<unknown>;
}

type Open = (url: string, mark: string) => Promise<Marked>;

export const asking = fileURLToPath(new URL('../../test/serve/asking.mjs', import.meta.url));

const capabilities = { elicitation: {} };
const info = (mark: string) => ({ name: mark, version: '1' });
const accepted = (mark: string) => ({ action: 'accept' as const, content: { name: mark } });

/** A `fetch` that keeps the texts of all responses. */
function keeping(received: string[]): typeof fetch {
  return async (...request) => {
    const response = await fetch(...request);
    if (!response.body) return response;
    const [own, kept] = response.body.tee();
    const keep = async () => {
      const decoder = new TextDecoder();
      for await (const chunk of kept as AsyncIterable<Uint8Array>)
        received.push(decoder.decode(chunk, { stream: true }));
    };
    keep().catch(() => {}); // ends with the request
    return new Response(own, response);
  };
}

async function openV1(url: string, mark: string): Promise<Marked> {
  const received: string[] = [];
  const client = new ClientOfV1(info(mark), { capabilities });
  client.setRequestHandler(ElicitRequestSchema, () => accepted(mark));
  const transport = new TransportOfV1(new URL(url), { fetch: keeping(received) });
  await client.connect(transport);
  return {
    received,
    call: (args, signal) => client.callTool({ name: 'ask', arguments: { ...args } }, undefined, { signal }),
    close: () => transport.terminateSession().then(() => client.close()),
  };
}

const openV2 =
  (mode: 'auto' | 'legacy'): Open =>
  async (url, mark) => {
    const received: string[] = [];
    const client = new ClientOfV2(info(mark), { capabilities, versionNegotiation: { mode } });
    client.setRequestHandler('elicitation/create', () => accepted(mark));
    await client.connect(new TransportOfV2(new URL(url), { fetch: keeping(received) }));
    return {
      received,
      call: (args, signal) => client.callTool({ name: 'ask', arguments: { ...args } }, { signal }),
      close: () => client.close(),
    };
  };

interface AiSdk {
  createMCPClient(config: object): Promise<{
    onElicitationRequest(schema: object, handler: () => object): void;
    tools(): Promise<Record<string, { execute(args: object, options: object): Promise<unknown> }>>;
    close(): Promise<void>;
  }>;
  ElicitationRequestSchema: object;
}

async function aiSdk(): Promise<Open> {
  const { resolve } = createRequire(`${requiredPackages('bench/peers')}/package.json`);
  const sdk = (await import(pathToFileURL(resolve('@ai-sdk/mcp')).href)) as AiSdk; // as its types say
  return async (url, mark) => {
    const received: string[] = [];
    const transport = { type: 'http', url, fetch: keeping(received) };
    const client = await sdk.createMCPClient({ transport, capabilities, clientName: mark });
    client.onElicitationRequest(sdk.ElicitationRequestSchema, () => accepted(mark));
    const { ask } = await client.tools();
    return {
      received,
      call: async (args, abortSignal) => ask?.execute(args, { toolCallId: 'c', messages: [], abortSignal }),
      close: () => client.close(),
    };
  };
}

/**
 * Clients of three SDKs and of the bare protocol come and go, twelve at a time: they call, are asked, hear logs, and
 * take back one call in seven. Every text that a client gets is searched for the marks of all others.
 *
 * @returns false if one was found, or a call has no answer
 */
export async function haveNothingOfOthers(url: string, count: number): Promise<boolean> {
  const ways: Record<string, Open> = {
    'SDK 1': openV1,
    'SDK 2, handshake': openV2('legacy'),
    'SDK 2, 2026-07-28': openV2('auto'),
    'AI SDK': await aiSdk(),
    'bare, 2025-11-25': handshakeClient,
    'bare, 2026-07-28': async (url, mark) => statelessClient(url, mark),
  };
  const figures = { clients: 0, calls: 0, 'taken back': 0, questions: 0, logs: 0, cancelled: 0, foreign: 0, failed: 0 };
  const names = Object.keys(ways);
  const problems: string[] = [];
  const failed = (what: keyof typeof figures, problem: string) => {
    figures[what]++;
    if (problems.length < 10) problems.push(problem.slice(0, 300));
  };

  async function calls(client: Marked, mark: string, number: number): Promise<void> {
    const isBare = names[number % names.length]?.startsWith('bare') === true;
    const call = async (at: number) => {
      const nth = figures.calls++;
      const takenBack = !isBare && nth % 7 === 3;
      if (takenBack) figures['taken back']++;
      const before = (nth * 7) % 30;
      const signal = takenBack ? AbortSignal.timeout(5 + before) : new AbortController().signal;
      try {
        const text = JSON.stringify(await client.call({ mark, before, after: at * 5 }, signal));
        const isCancelled = text.includes('\\"action\\":\\"cancel\\"') || text.includes('"action\\":\\"cancel');
        if (isCancelled) figures.cancelled++;
        if (!text.includes(`${mark} was answered`) || !(isCancelled || text.includes(`name\\":\\"${mark}`)))
          failed('failed', `${mark}: ${text}`);
      } catch (error) {
        if (!takenBack) failed('failed', `${mark}: ${String(error)}`);
      }
    };
    await Promise.all([0, 1].map(call));
    await call(2);
  }

  async function lives(number: number): Promise<void> {
    const way = names[number % names.length] ?? '';
    const mark = `mark-${number}-`;
    try {
      const client = await ways[way]!(url, mark);
      figures.clients++;
      await calls(client, mark, number);
      await client.close();
      const all = client.received.join('\n');
      figures.logs += all.split('notifications/message').length - 1;
      figures.questions += all.split(/"method":"elicitation\/create"/).length - 1;
      for (const [found] of all.matchAll(/mark-\d+-/g))
        if (found !== mark) failed('foreign', `${way}, ${mark}, got what belongs to ${found}`);
    } catch (error) {
      failed('failed', `${way}, ${mark}: ${String(error)}`);
    }
  }

  let next = 0;
  const worker = async () => {
    while (next < count) await lives(next++);
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  for (const problem of problems) console.log(problem);
  console.log(Object.entries(figures).map(([name, n]) => `${name} ${n}`).join(', ')); // prettier-ignore
  return figures.foreign === 0 && figures.failed === 0;
}
