import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpAddress } from '../../src/index.js';
import { ClientRelay, type ClientRelayOptions } from '../../src/serve/client-relay.js';
import { messageText, readIncoming } from '../../src/serve/front/payload.js';
import { Hub } from '../../src/serve/index.js';
import { identityInEnvelope } from '../../src/serve/revisions.js';
import { settled, until } from '../../test-support/waiting.js';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { code: number; message: string };
}

/** The response to a request, as an event stream that the test writes. */
interface Stream {
  say(message: object): void;
  end(): void;
}

type Answer = object | ((message: Message, stream: () => Stream) => object | undefined);

const everything = { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} };

/** A server behind one `fetch`: what it answers by its methods, and what it was asked. */
function behind(answers: Record<string, Answer> = {}, capabilities: object = everything) {
  const heard: Message[] = [];
  const all: Record<string, Answer> = {
    initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'real', version: '1' } },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    ...answers,
  };
  const address: HttpAddress = {
    url: 'http://behind.test/mcp',
    fetch: (_, init = {}) => {
      if (init.method !== 'POST') return Promise.resolve(new Response(null, { status: 405 }));
      const message = JSON.parse(init.body as string) as Message;
      heard.push(message);
      if (message.method === undefined || message.id === undefined)
        return Promise.resolve(new Response(null, { status: 202 }));
      let streamed: ReadableStream<Uint8Array> | undefined;
      const stream = (): Stream => {
        let writer!: ReadableStreamDefaultController<Uint8Array>;
        streamed = new ReadableStream({ start: (controller) => void (writer = controller) });
        return {
          say: (said) => {
            writer.enqueue(Buffer.from(`data: ${JSON.stringify({ jsonrpc: '2.0', ...said })}\n\n`));
          },
          end: () => {
            writer.close();
          },
        };
      };
      const given = all[message.method] ?? { error: { code: -32601, message: `no ${message.method}` } };
      const answer = typeof given === 'function' ? given(message, stream) : given;
      if (streamed)
        return Promise.resolve(new Response(streamed, { headers: { 'content-type': 'text/event-stream' } }));
      // One that never answers.
      if (answer === undefined)
        return new Promise((_resolve, reject) => {
          init.signal?.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        });
      const body = 'error' in answer ? answer : { result: answer };
      return Promise.resolve(Response.json({ jsonrpc: '2.0', id: message.id, ...body }));
    },
  };
  const asked = (method: string) => heard.filter((message) => message.method === method).map(({ params }) => params);
  return { address, heard, asked, methods: () => heard.map(({ method }) => method) };
}

const discovery = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: everything };
/** One of 2026-07-28, which knows no handshake. */
const stateless = (answers: Record<string, Answer> = {}) =>
  behind({ initialize: { error: { code: -32601, message: 'no' } }, 'server/discover': discovery, ...answers });

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'new', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

type Sent = Message & { readonly related: number | string | undefined };

/** A client of either era in front of servers, and what it was sent. */
function inFront(
  servers: Record<string, { address: HttpAddress }>,
  { era = 'handshake', ...more }: Partial<ClientRelayOptions> = {},
) {
  const log: string[] = [];
  const hub = new Hub({
    servers: Object.entries(servers).map(([name, { address }]) => ({ name, address })),
    tool: {},
    provider: undefined,
    timeoutMs: 30_000,
    log: (line) => log.push(line),
  });
  onTestFinished(() => hub.close());
  const sent: Sent[] = [];
  const joined = era === 'stateless' ? { joined: hub.behind(identityInEnvelope({ _meta: envelope })) } : undefined;
  const relay = new ClientRelay({
    ...hub.forClients,
    ...joined,
    era,
    send: (message, related) => sent.push({ ...(JSON.parse(messageText(message)) as Message), related }),
    ...more,
  });
  const say = (message: Message) => {
    const whole = { jsonrpc: '2.0' as const, ...message };
    relay.take(readIncoming(whole as never, JSON.stringify(whole)));
  };
  let last = 0;
  /** Sends a request. */
  const request = (method: string, params: Record<string, unknown> = {}) => {
    const id = ++last;
    say({
      id,
      method,
      params: era === 'stateless' ? { ...params, _meta: { ...envelope, ...(params['_meta'] ?? {}) } } : params,
    });
    return id;
  };
  const answerTo = async (id: number) => {
    const find = () => sent.find((message) => message.id === id && message.method === undefined);
    await until(() => find() !== undefined);
    return find()!;
  };
  const ask = (method: string, params?: Record<string, unknown>) => answerTo(request(method, params));
  const toldOf = async (method: string) => {
    await until(() => sent.some((message) => message.method === method));
    return sent.findLast((message) => message.method === method)!;
  };
  const greet = async () => {
    last = 0;
    await ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'old', version: '1' },
    });
    say({ method: 'notifications/initialized' });
    await settled();
  };
  return { relay, log, sent, say, request, answerTo, ask, toldOf, greet, hub };
}

async function greeted(servers: Record<string, { address: HttpAddress }>, more: Partial<ClientRelayOptions> = {}) {
  const front = inFront(servers, more);
  await front.greet();
  return front;
}

const question = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object' } } };
const accepted = { action: 'accept', content: { name: 'Ada' } };

describe('A client with a handshake', () => {
  test('is answered as the server answers, with what the client says of itself and the revision that it offers', async () => {
    const server = behind();
    const { ask } = inFront({ server });
    const { result } = await ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: { roots: {} },
      clientInfo: { name: 'old', version: '1', more: 1 },
    });
    expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'real' } });
    expect(server.asked('initialize')).toEqual([
      {
        protocolVersion: '2025-06-18',
        capabilities: { roots: {} },
        clientInfo: { name: 'old', version: '1', more: 1 },
      },
    ]);
  });

  test('has to begin with it', async () => {
    const { ask } = inFront({ server: behind() });
    expect((await ask('tools/list')).error).toEqual({
      code: -32603,
      message: 'The first request has to be initialize.',
    });
  });

  test('is sent nothing before it is ready: so much is kept for it, and no more', async () => {
    const { relay, sent, say } = inFront({ server: behind() });
    for (let n = 0; n < 1001; n++) relay.announce('notifications/message', `{"n":${n}}`, { n }, undefined);
    expect(sent).toEqual([]);
    say({ method: 'notifications/initialized' });
    await settled();
    expect(sent).toHaveLength(1000);
    expect(sent[999]).toMatchObject({ method: 'notifications/message', params: { n: 999 }, related: undefined });
    relay.announce('notifications/message', '{"n":1001}', { n: 1001 }, 7);
    expect(sent[1000]).toMatchObject({ params: { n: 1001 }, related: 7 });
  });

  test.each([
    ['initialize', false],
    ['ping', false],
    ['tools/list', true],
  ])('that sends %s has said that it is ready: %s', async (method, isReady) => {
    const { relay, sent, request, answerTo } = inFront({ server: behind() });
    relay.announce('notifications/message', '{}', {}, undefined);
    await answerTo(request(method));
    expect(sent.some((message) => message.method === 'notifications/message')).toBe(isReady);
  });

  test('has changes told in a way of their own, where there is one', async () => {
    const told: unknown[] = [];
    const { relay, sent } = inFront(
      { server: behind() },
      { era: 'stateless', announceChange: (method, params) => told.push([method, params]) },
    );
    relay.announce('notifications/tools/list_changed', '{"a":1}', { a: 1 }, undefined);
    relay.announce('notifications/message', '{"b":1}', { b: 1 }, 3);
    expect(told).toEqual([['notifications/tools/list_changed', { a: 1 }]]);
    expect(sent).toMatchObject([{ method: 'notifications/message', params: { b: 1 }, related: 3 }]);
  });

  test('has its requests handed on in their order, each when the one before is on its way', async () => {
    const server = behind({ 'tools/call': () => undefined, 'custom/one': { one: 1 } });
    const { request, answerTo, relay } = await greeted({ server });
    expect(relay.isIdle).toBe(true);
    request('tools/call', { name: 'echo', arguments: {} });
    request('tools/call', { name: 'echo', arguments: {} });
    expect((await answerTo(request('custom/one'))).result).toEqual({ one: 1 });
    expect(server.methods().slice(-3)).toEqual(['tools/call', 'tools/call', 'custom/one']);
    expect(relay.isIdle).toBe(false);
  });

  test('has its notifications handed on to all servers, to the character', async () => {
    const servers = { one: behind(), two: behind() };
    const { say, ask } = await greeted(servers);
    await ask('tools/list');
    say({ method: 'notifications/roots/list_changed', params: { x: 1 } });
    await until(() => servers.two.methods().includes('notifications/roots/list_changed'));
    for (const { asked } of Object.values(servers))
      expect(asked('notifications/roots/list_changed')).toEqual([{ x: 1 }]);
  });

  test('that takes a request back ends it at the server, and gets no answer', async () => {
    const server = behind({ 'tools/call': () => undefined });
    const { request, say, sent, relay } = await greeted({ server });
    const id = request('tools/call', { name: 'echo', arguments: {} });
    await until(() => server.methods().includes('tools/call'));
    say({ method: 'notifications/cancelled', params: { requestId: id, reason: 'too slow' } });
    await until(() => server.methods().includes('notifications/cancelled'));
    await settled();
    expect(server.asked('notifications/cancelled')).toMatchObject([{ reason: 'too slow' }]);
    expect(sent.filter((message) => message.id === id)).toEqual([]);
    expect(relay.isIdle).toBe(true);
  });

  test("reads the server's own error, and why there is no answer", async () => {
    const server = behind({
      'custom/refused': { error: { code: -32042, message: 'no', data: { a: 1 } } },
      'custom/broken': () => ({ error: 7 }),
    });
    const { ask } = await greeted({ server });
    expect((await ask('custom/refused')).error).toEqual({ code: -32042, message: 'no', data: { a: 1 } });
    expect((await ask('custom/broken')).error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('holds neither a result object nor an error'),
    });
  });

  test('that is gone has its requests ended, and is asked nothing more', async () => {
    const server = behind({ 'tools/call': () => undefined });
    const { request, relay, sent } = await greeted({ server });
    request('tools/call', { name: 'echo', arguments: {} });
    await until(() => server.methods().includes('tools/call'));
    const before = sent.length;
    const asking = relay.ask({ ...question, wire: { text: '{}' }, signal: new AbortController().signal }, undefined);
    relay.close();
    expect(await asking).toEqual({ error: '{"code":-32603,"message":"The client is gone."}' });
    await until(() => server.methods().includes('notifications/cancelled'));
    expect(server.asked('notifications/cancelled')).toMatchObject([{ reason: 'The client is gone.' }]);
    expect(sent.slice(before).map(({ method }) => method)).toEqual(['elicitation/create']);
  });

  test('is asked what the server asks, to the character, and its answer goes back', async () => {
    let stream!: Stream;
    const server = behind({ 'tools/call': (_message, open) => void (stream = open()) });
    const { request, answerTo, toldOf, say } = await greeted({ server });
    const id = request('tools/call', { name: 'echo', arguments: {} });
    await until(() => server.methods().includes('tools/call'));
    stream.say({ id: 'q1', ...question });
    const asked = await toldOf('elicitation/create');
    expect(asked).toMatchObject({ params: question.params, related: id });
    say({ id: asked.id!, result: accepted });
    await until(() => server.heard.some((message) => message.id === 'q1'));
    expect(server.heard.find((message) => message.id === 'q1')!.result).toEqual(accepted);
    // An answer that nobody waits for, and one that comes twice, disturb nobody.
    say({ id: asked.id!, result: {} });
    say({ id: 'unknown', result: {} });
    stream.say({ id: server.heard.findLast(({ method }) => method === 'tools/call')!.id, result: { content: [] } });
    stream.end();
    expect((await answerTo(id)).result).toEqual({ content: [] });
  });

  test('hears of a question that the server takes back, with its reason', async () => {
    let stream!: Stream;
    const server = behind({ 'tools/call': (_message, open) => void (stream = open()) });
    const { request, toldOf } = await greeted({ server });
    const id = request('tools/call', { name: 'echo', arguments: {} });
    await until(() => server.methods().includes('tools/call'));
    stream.say({ id: 'q1', ...question });
    const asked = await toldOf('elicitation/create');
    stream.say({ method: 'notifications/cancelled', params: { requestId: 'q1', reason: 'never mind' } });
    expect(await toldOf('notifications/cancelled')).toMatchObject({
      params: { requestId: asked.id, reason: 'never mind' },
      related: id,
    });
  });

  test('asks for a log level: a single server has the request itself, others hear of it in their ways', async () => {
    const own = behind({ 'logging/setLevel': { own: 1 } });
    const one = await greeted({ own });
    expect((await one.ask('logging/setLevel', { level: 'info' })).result).toEqual({ own: 1 });

    const servers = { a: behind({ 'logging/setLevel': {} }), b: behind({}, { tools: {} }), c: stateless() };
    const several = await greeted(servers);
    expect((await several.ask('logging/setLevel', { level: 'info' })).result).toEqual({});
    expect(servers.a.asked('logging/setLevel')).toEqual([{ level: 'info' }]);
    expect(servers.b.methods()).not.toContain('logging/setLevel');
    await several.ask('tools/call', { name: 'c_echo', arguments: {} });
    expect(servers.c.asked('tools/call')).toMatchObject([{ _meta: { 'io.modelcontextprotocol/logLevel': 'info' } }]);
    // Asked for by the client itself, it is set again.
    await several.ask('logging/setLevel', { level: 'info' });
    expect(servers.a.asked('logging/setLevel')).toHaveLength(2);
  });
});

describe('A client with a handshake, in front of a server of 2026-07-28,', () => {
  test('is answered for the server where that has no such method', async () => {
    const server = stateless();
    const { ask } = await greeted({ server });
    for (const [method, params] of [
      ['ping', {}],
      ['resources/subscribe', { uri: 'a:b' }],
      ['resources/unsubscribe', { uri: 'a:b' }],
      ['logging/setLevel', { level: 'info' }],
    ] as const)
      expect((await ask(method, params)).result).toEqual({});
    for (const method of ['ping', 'resources/subscribe', 'resources/unsubscribe', 'logging/setLevel'])
      expect(server.methods()).not.toContain(method);
    expect(server.asked('subscriptions/listen')).toMatchObject([{ notifications: { resourceSubscriptions: ['a:b'] } }]);
  });

  test('is asked what stands in the result, and the next round carries its answers and the state', async () => {
    let round = 0;
    const server = stateless({
      'tools/call': () =>
        ++round === 1
          ? { resultType: 'input_required', requestState: 's1', inputRequests: { who: question, why: question } }
          : { resultType: 'complete', content: [] },
    });
    const { request, answerTo, sent, say } = await greeted({ server });
    const id = request('tools/call', { name: 'echo', arguments: { a: 1 } });
    for (const count of [1, 2]) {
      const asked = () => sent.filter(({ method }) => method === 'elicitation/create');
      await until(() => asked().length === count);
      expect(asked().at(-1)).toMatchObject({ params: question.params, related: id });
      say({ id: asked().at(-1)!.id!, result: { ...accepted, count } });
    }
    expect((await answerTo(id)).result).toEqual({ resultType: 'complete', content: [] });
    expect(server.asked('tools/call')[1]).toMatchObject({
      name: 'echo',
      arguments: { a: 1 },
      requestState: 's1',
      inputResponses: { who: { ...accepted, count: 1 }, why: { ...accepted, count: 2 } },
    });
  });

  test('that refuses to answer has its refusal for an answer', async () => {
    const server = stateless({ 'tools/call': { resultType: 'input_required', inputRequests: { who: question } } });
    const { request, answerTo, toldOf, say } = await greeted({ server });
    const id = request('tools/call', { name: 'echo', arguments: {} });
    say({ id: (await toldOf('elicitation/create')).id!, error: { code: -1, message: 'not me' } });
    expect((await answerTo(id)).error).toEqual({ code: -1, message: 'not me' });
    expect(server.asked('tools/call')).toHaveLength(1);
  });

  test('is not kept asking for ever', async () => {
    const server = stateless({ 'tools/call': { resultType: 'input_required', requestState: 's' } });
    const { ask } = await greeted({ server });
    expect((await ask('tools/call', { name: 'echo', arguments: {} })).error).toEqual({
      code: -32603,
      message: 'The server asked more than 20 times before it answered.',
    });
    expect(server.asked('tools/call')).toHaveLength(20);
  });
});

describe('A client of 2026-07-28', () => {
  test.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])(
    'has no %s',
    async (method) => {
      const server = behind({
        'logging/setLevel': {},
        'resources/subscribe': {},
        'resources/unsubscribe': {},
        ping: {},
      });
      const { ask } = inFront({ server }, { era: 'stateless' });
      expect((await ask(method, { uri: 'a:b', level: 'info' })).error).toEqual({
        code: -32601,
        message: `${method} is no method of this revision.`,
      });
      expect(server.methods()).not.toContain(method === 'initialize' ? undefined : method);
    },
  );

  test('discovers the server, whatever revision that has', async () => {
    const { result } = await inFront({ server: behind() }, { era: 'stateless' }).ask('server/discover');
    expect(result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      resultType: 'complete',
      capabilities: everything,
    });
    // With a handshake it is a method like others, for the server to know or not.
    expect((await (await greeted({ server: behind() })).ask('server/discover')).error!.message).toBe(
      'no server/discover',
    );
  });

  test("has the server's own result, with what its revision wants beside it", async () => {
    const server = behind({ 'tools/call': { content: [] } });
    const { ask } = inFront({ server }, { era: 'stateless' });
    expect((await ask('tools/call', { name: 'echo', arguments: {} })).result).toEqual({
      content: [],
      resultType: 'complete',
    });
    expect((await ask('custom/none')).error).toEqual({ code: -32601, message: 'no custom/none' });
  });

  test('sets the level of what a server with a handshake logs, once for each', async () => {
    const server = behind({ 'logging/setLevel': {}, 'tools/call': { content: [] } });
    const { ask } = inFront({ server }, { era: 'stateless' });
    const at = (level: string) =>
      ask('tools/call', { name: 'echo', arguments: {}, _meta: { 'io.modelcontextprotocol/logLevel': level } });
    await at('info');
    await at('info');
    await at('error');
    expect(server.asked('logging/setLevel')).toEqual([{ level: 'info' }, { level: 'error' }]);
  });

  test('is asked in a result what a server with a handshake asks, and the call goes on with its answer', async () => {
    let stream!: Stream;
    const server = behind({ 'tools/call': (_message, open) => void (stream = open()) });
    const { request, answerTo } = inFront({ server }, { era: 'stateless' });
    const call = { name: 'echo', arguments: {} };
    const first = request('tools/call', call);
    await until(() => server.methods().includes('tools/call'));
    stream.say({ id: 'q1', ...question });
    const { resultType, requestState, inputRequests } = (await answerTo(first)).result!;
    expect({ resultType, inputRequests }).toEqual({
      resultType: 'input_required',
      inputRequests: { asked: question },
    });
    const second = request('tools/call', { ...call, requestState, inputResponses: { asked: accepted } });
    await until(() => server.heard.some((message) => message.id === 'q1'));
    expect(server.heard.find((message) => message.id === 'q1')!.result).toEqual(accepted);
    stream.say({ id: server.heard.find(({ method }) => method === 'tools/call')!.id, result: { content: [] } });
    stream.end();
    expect((await answerTo(second)).result).toEqual({ content: [], resultType: 'complete' });
    expect(server.asked('tools/call')).toHaveLength(1);
  });

  test('that takes the call back while it goes on ends it at the server', async () => {
    const server = behind({ 'tools/call': () => undefined });
    const { request, say, sent } = inFront({ server }, { era: 'stateless' });
    const id = request('tools/call', { name: 'echo', arguments: {} });
    await until(() => server.methods().includes('tools/call'));
    say({ method: 'notifications/cancelled', params: { requestId: id, reason: 'too slow' } });
    await until(() => server.methods().includes('notifications/cancelled'));
    expect(server.asked('notifications/cancelled')).toMatchObject([{ reason: 'too slow' }]);
    await settled();
    expect(sent.filter((message) => message.id === id)).toEqual([]);
  });

  test('is not asked what belongs to no request of its own', async () => {
    const { relay, sent } = inFront({ server: behind() }, { era: 'stateless' });
    const asking = relay.ask({ ...question, wire: { text: '{}' }, signal: new AbortController().signal }, 7);
    await expect(asking).rejects.toThrow('within its own requests alone');
    expect(sent).toEqual([]);
  });
});

describe('In front of several servers', () => {
  const named = (name: string) => ({
    'prompts/list': { prompts: [{ name: 'hello' }] },
    'prompts/get': { messages: [name] },
    'resources/list': { resources: [{ uri: `${name}:1` }] },
    'resources/templates/list': { resourceTemplates: [{ uriTemplate: `${name}:{id}` }] },
    'resources/read': ({ params }: Message) =>
      params?.['uri'] === `${name}:hidden`
        ? { contents: [name] }
        : { error: { code: -32002, message: `${name} has no ${String(params?.['uri'])}` } },
    'completion/complete': { completion: { values: [name] } },
    'tools/call': { content: [name] },
  });
  const two = async () => {
    const servers = { one: behind(named('one')), two: behind(named('two')) };
    return { ...(await greeted(servers)), ...servers };
  };

  test('calls and prompts go to whose they are, by their own names', async () => {
    const { ask, one, two: other } = await two();
    expect((await ask('tools/call', { name: 'two_echo', arguments: { a: 1 } })).result).toEqual({ content: ['two'] });
    expect(other.asked('tools/call')).toEqual([{ name: 'echo', arguments: { a: 1 } }]);
    expect((await ask('prompts/get', { name: 'two_hello', arguments: { b: 1 } })).result).toEqual({
      messages: ['two'],
    });
    expect(other.asked('prompts/get')).toEqual([{ name: 'hello', arguments: { b: 1 } }]);
    expect([...one.asked('tools/call'), ...one.asked('prompts/get')]).toEqual([]);
  });

  test('lists are joined', async () => {
    const { ask } = await two();
    expect((await ask('prompts/list')).result).toEqual({ prompts: [{ name: 'one_hello' }, { name: 'two_hello' }] });
    expect((await ask('resources/list')).result).toEqual({ resources: [{ uri: 'one:1' }, { uri: 'two:1' }] });
    expect((await ask('resources/templates/list')).result).toEqual({
      resourceTemplates: [{ uriTemplate: 'one:{id}' }, { uriTemplate: 'two:{id}' }],
    });
  });

  test('completions go to whose prompt or template it is', async () => {
    const { ask, two: other } = await two();
    const argument = { name: 'id', value: '1' };
    const prompt = { type: 'ref/prompt', name: 'two_hello' };
    expect((await ask('completion/complete', { ref: prompt, argument })).result).toEqual({
      completion: { values: ['two'] },
    });
    const template = { type: 'ref/resource', uri: 'two:{id}' };
    expect((await ask('completion/complete', { ref: template, argument })).result).toEqual({
      completion: { values: ['two'] },
    });
    expect(other.asked('completion/complete')).toEqual([
      { ref: { type: 'ref/prompt', name: 'hello' }, argument },
      { ref: template, argument },
    ]);
    expect((await ask('completion/complete', { argument })).error).toEqual({
      code: -32602,
      message: 'Unknown: undefined',
    });
  });

  test('a resource that nobody lists is asked of each until one has it', async () => {
    const { ask, one, two: other } = await two();
    expect((await ask('resources/read', { uri: 'one:hidden' })).result).toEqual({ contents: ['one'] });
    expect(other.asked('resources/read')).toEqual([]);
    expect((await ask('resources/read', { uri: 'two:hidden' })).result).toEqual({ contents: ['two'] });
    expect((await ask('resources/read', { uri: 'nobody:1' })).error).toEqual({
      code: -32002,
      message: 'two has no nobody:1',
    });
    expect((await ask('resources/read', { uri: 'two:1' })).error!.message).toBe('two has no two:1');
    expect(one.asked('resources/read')).toHaveLength(3);
  });

  test('a resource is unknown where no server has any', async () => {
    const { ask } = await greeted({ one: behind({}, { tools: {} }), two: behind({}, { tools: {} }) });
    expect((await ask('resources/read', { uri: 'a:b' })).error).toEqual({
      code: -32602,
      message: 'Unknown resource: a:b',
    });
  });

  test.each<[string, Record<string, unknown>, object]>([
    ['ping', {}, { result: {} }],
    ['prompts/get', { name: 'hello' }, { error: { code: -32602, message: 'Unknown: hello' } }],
    ['prompts/get', { name: 7 }, { error: { code: -32602, message: 'Unknown: 7' } }],
    ['tools/call', { name: 'echo' }, { error: { code: -32602, message: 'Unknown tool: echo' } }],
    [
      'custom/one',
      {},
      { error: { code: -32601, message: 'custom/one is not known where several servers are joined.' } },
    ],
    [
      'resources/read',
      {},
      { error: { code: -32601, message: 'resources/read is not known where several servers are joined.' } },
    ],
  ])('%s %j is answered here', async (method, params, answer) => {
    const { ask, one, two: other } = await two();
    expect(await ask(method, params)).toMatchObject(answer);
    for (const { methods } of [one, other]) expect(methods()).not.toContain(method);
  });

  test('one that cannot be reached does not keep the others from being offered', async () => {
    const gone = behind({ initialize: { error: { code: 1, message: 'broken' } } });
    const { ask, log } = await greeted({ gone, two: behind(named('two')) });
    expect((await ask('tools/list')).result).toMatchObject({ tools: [{ name: 'two_echo' }] });
    expect(log.join('\n')).toContain('gone: ');
  });
});

test('What a server announces reaches all clients that share it, but for those that are gone', async () => {
  let stream!: Stream;
  const server = behind({ 'tools/call': (_message, open) => void (stream = open()) });
  const one = inFront({ server }, { era: 'stateless' });
  const joined = one.hub.behind(identityInEnvelope({ _meta: envelope }));
  const [two, three] = [1, 2].map(() => inFront({ server }, { era: 'stateless', joined }));
  two!.request('tools/call', { name: 'echo', arguments: {} });
  await until(() => server.methods().includes('tools/call'));
  stream.say({ method: 'notifications/tools/list_changed' });
  await three!.toldOf('notifications/tools/list_changed');
  three!.relay.close();
  stream.say({ method: 'notifications/prompts/list_changed' });
  await two!.toldOf('notifications/prompts/list_changed');
  expect([two!, three!].map(({ sent }) => sent.map(({ method }) => method))).toEqual([
    ['notifications/tools/list_changed', 'notifications/prompts/list_changed'],
    ['notifications/tools/list_changed'],
  ]);
});
