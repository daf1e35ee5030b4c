import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { type Answers, type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import { inFront, inFrontOverHttp } from './in-front.js';
import { postHeaders } from './raw-clients.js';
import { first, inOrder, reached, second, stable } from '../../test-support/servers/two-servers.js';

/** What clients send and get, what both servers get, and the log: whole, as its reviewers read it. */
const doors = JSON.parse(readFileSync(new URL('./transcripts.json', import.meta.url), 'utf8')) as {
  stdio: { title: string; servers: Named; options: object; steps: Step[] }[];
  http: { title: string; servers: Named; options: object; steps: Exchanged[] }[];
};

/** Settings of `one` and `two`, and what they answer besides. */
type Named = Record<string, { answers?: Answers }>;

interface Step {
  /** Messages, or lines. */
  send: (object | string)[];
  client?: object[];
  one?: object[];
  two?: object[];
  log?: string[];
}

interface Exchanged {
  /** The session is the number of one that was begun here. */
  request: { method?: string; path?: string; headers?: Record<string, string>; session?: number; body?: unknown };
  response: object[];
  /** Those of all open streams, with the step that opened it. */
  events?: object[];
  one?: object[];
  two?: object[];
  log?: string[];
}

const servers: Record<string, HttpServer> = {};
afterEach(async () => {
  for (const server of Object.values(servers)) await server.close();
});

async function started(named: Named) {
  servers['one'] = await startHttpServer({ ...first(), ...named['one']?.answers });
  servers['two'] = await startHttpServer({ ...second, ...named['two']?.answers });
  return Object.entries(named).map(([name, { answers: _, ...more }]) => {
    return { name, address: { url: servers[name]!.url, headers: { 'x-key': `of ${name}` } }, ...more };
  });
}

/** Compares what comes until it is all there, sorted where two servers are asked at once. */
async function comes(expected: object, at: number, own: () => Record<string, unknown[]>, log: string[]) {
  const got: Record<string, unknown[]> = {};
  const look = () => {
    const now = { ...own(), one: reached(servers['one']!), two: reached(servers['two']!), log: log.splice(0) };
    for (const [name, items] of Object.entries(now))
      if (items.length > 0) got[name] = [...(got[name] ?? []), ...(stable(items) as unknown[])];
    for (const name of ['log', 'one', 'two']) inOrder(got[name] ?? []);
    got['client']?.sort((one, other) => Number(isUpdate(one)) - Number(isUpdate(other)));
    (got['events'] as { of: number }[] | undefined)?.sort((one, other) => one.of - other.of);
    return got;
  };
  await expect.poll(look, { message: `step ${at}`, interval: 5 }).toEqual(expected);
}

/** What a server announces in a stream of its own, beside its answers. */
const isUpdate = (message: unknown) => JSON.stringify(message).includes('"notifications/resources/updated"');

const parsed = (text: string) => (text.startsWith('{') ? (JSON.parse(text) as unknown) : text);

test.each(doors.stdio)(
  'Over stdio, this arrives and nothing else: $title',
  async ({ servers: named, options, steps }) => {
    await using gateway = inFront({}, { ...options, servers: await started(named) });
    let state = '';
    for (const [at, { send, ...expected }] of steps.entries()) {
      for (const message of send)
        gateway.write(
          typeof message === 'string'
            ? message
            : JSON.stringify({ jsonrpc: '2.0', ...message }).replaceAll('"LAST"', `"${state}"`),
        );
      const client = () => {
        const lines = gateway.lines.splice(0);
        state = /"requestState":"([^"]*)"/.exec(lines.join('\n'))?.[1] ?? state;
        return { client: lines.map((line) => JSON.parse(line) as unknown) };
      };
      await comes(expected, at, client, gateway.log);
    }
  },
);

test.each(doors.http)(
  'Over HTTP, this arrives and nothing else: $title',
  async ({ servers: named, options, steps }) => {
    await using gateway = await inFrontOverHttp({}, options, { ...options, servers: await started(named) });
    const [sessions, responses, events]: [string[], object[], object[]] = [[], [], []];
    for (const [at, { request, ...expected }] of steps.entries()) {
      const { path = '/mcp', method = 'POST', headers, body } = request;
      const text = typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...(body as object) });
      const filled = {
        ...postHeaders,
        ...headers,
        ...('session' in request && { 'mcp-session-id': sessions[request.session ?? 0] ?? '' }),
      };
      const response = await fetch(new URL(path, gateway.url), {
        method,
        headers: filled,
        ...(method === 'POST' && { body: text }),
      });
      const given = Object.fromEntries([...response.headers].filter(([name]) => !ofConnection.includes(name)));
      const id = response.headers.get('mcp-session-id') ?? undefined;
      if (id !== undefined && !sessions.includes(id)) sessions.push(id);
      const about = { status: response.status, ...given };
      if (response.headers.get('content-type') !== 'text/event-stream')
        responses.push({ ...about, body: parsed(await response.text()) });
      else {
        responses.push(about);
        void eventsIn(response, (event) => events.push({ of: at, ...event })).catch(() => undefined);
      }
      await comes(expected, at, () => ({ response: responses.splice(0), events: events.splice(0) }), gateway.log);
    }
  },
);

const ofConnection = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

async function eventsIn(response: Response, take: (event: object) => void): Promise<void> {
  let rest = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = block.split('\n').map((line) => line.split(/: ?(.*)/));
      take(Object.fromEntries(fields.map(([name = '', value = '']) => [name, parsed(value)])));
    }
  }
  take({ ends: true });
}
