import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/index.js';
import { connect, IncompleteListError, McpError } from '../../src/mcp/index.js';
import { readAllPages } from '../../src/mcp/session/pages.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { settled } from '../../test-support/waiting.js';
import type { Exchange } from '../../test-support/servers/http.js';
import { begun, closeAfterEach, connected, echo, given } from './serving.js';

closeAfterEach();

const limits = { pages: 8, entries: 20, bytes: 2000 };
const cursor = fc.oneof(fc.constantFrom('', 'a', 'b', 0, false, null, undefined, 7, {}), fc.string({ maxLength: 3 }));
const page = fc.record({ tools: fc.array(fc.nat(9), { maxLength: 5 }), nextCursor: cursor });

test('A list with hostile cursors ends within its limits, and no page that was read is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 6 }), async (pages) => {
      const sent: { cursor: unknown; tools: number[] }[] = [];
      const ask = (params: JsonObject) => {
        const { tools, nextCursor } = pages[sent.length % pages.length]!;
        sent.push({ cursor: params['cursor'], tools });
        return Promise.resolve({ result: { tools, nextCursor }, wire: { text: JSON.stringify(tools) } });
      };
      const read = await readAllPages('tools/list', 'tools', ask as never, limits, (pages) => pages).catch(
        (error: unknown) => error,
      );
      if (!Array.isArray(read)) expect(read).toBeInstanceOf(IncompleteListError);
      const partial: unknown = Array.isArray(read) ? read : (read as IncompleteListError).partial;
      const entries = (partial as { entries: number[] }[]).flatMap((known) => known.entries);
      expect(sent.length).toBeLessThanOrEqual(limits.pages);
      expect(entries.length).toBeLessThanOrEqual(limits.entries);
      // No cursor is sent twice. Every page's entries are there, except those before a restart by an empty cursor.
      const asked = sent.map((one) => one.cursor);
      expect(new Set(asked).size).toBe(asked.length);
      const all = sent.flatMap(({ tools }) => tools).slice(0, limits.entries);
      const withoutRepeated = sent.filter((one) => one.cursor !== '').flatMap(({ tools }) => tools);
      expect([JSON.stringify(all), JSON.stringify(withoutRepeated.slice(0, limits.entries))]).toContain(
        JSON.stringify(entries),
      );
    }),
    { numRuns: lawRuns() },
  );
});

const hosts = ['http://mcp.example', 'https://mcp.example', 'http://mcp.example:8080', 'https://evil.example'];
const location = fc.oneof(
  fc.tuple(fc.constantFrom(...hosts), fc.constantFrom('/mcp', '/a', '/b')).map(([host, path]) => host + path),
  fc.constantFrom('/a', '//evil.example/a', '?x=1', 'https://user:pass@mcp.example/a', 'ftp://mcp.example/', '::'),
);
const step = fc.record({ status: fc.constantFrom(301, 302, 303, 307, 308), location });

test('With hostile redirects, credentials reach their server alone, and a call ends and runs at most once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom('/mcp', '/a', '/b', '/mcp?x=1'), step), async (redirects) => {
      let asked = 0;
      let carriedOut = 0;
      const methods = new Set<string | undefined>();
      const server: typeof fetch = (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input);
        const redirect = redirects[url.pathname + url.search];
        if (new Headers(init?.headers).get('x-key') !== null) {
          expect(['http://mcp.example', 'https://mcp.example']).toContain(url.origin);
        }
        expect(url.username + url.password).toBe('');
        asked++;
        const body = typeof init?.body === 'string' ? init.body : '{}';
        const message = JSON.parse(body) as { id?: number; method?: string };
        methods.add(message.method);
        if (redirect) {
          // A 303 means that the request was carried out.
          if (redirect.status === 303 && message.method === 'tools/call') carriedOut++;
          const headers = { location: redirect.location };
          return Promise.resolve(new Response(null, { status: redirect.status, headers }));
        }
        if (message.method === 'tools/call') carriedOut++;
        if (message.id === undefined) return Promise.resolve(new Response(null, { status: 202 }));
        const result = { ...begun, content: [] };
        return Promise.resolve(Response.json({ jsonrpc: '2.0', id: message.id, result }));
      };
      const address = { url: 'http://mcp.example/mcp', headers: { 'X-Key': 'secret' }, fetch: server };
      const end = await connect(address)
        .then((session) => echo(session).finally(() => session.close()))
        .catch((error: unknown) => error);
      if (typeof end !== 'string') expect(end).toBeInstanceOf(McpError);
      expect(carriedOut).toBeLessThanOrEqual(1);
      expect(methods.has('tools/call') || typeof end !== 'string').toBe(true);
      expect(asked).toBeLessThan(60);
    }),
    { numRuns: lawRuns(300) },
  );
});

const line = fc.oneof(
  fc.constantFrom(': ping', '', 'data: [', 'data: {"level":30}', 'retry: 0', 'event: odd\ndata: {}', '\ufeff', 'data'),
  fc
    .record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        id: fc.oneof(fc.integer({ min: 900, max: 90_000 }), fc.constantFrom('x', null, {})),
        method: fc.constantFrom('ping', 'notifications/message', 'sampling/createMessage', 'elicitation/create', ''),
        params: fc.constantFrom({}, null, [], { level: 'info' }),
        result: fc.constantFrom({ content: [] }, null, 1),
        error: fc.constantFrom({ code: 1, message: 'for nobody' }, null),
      },
      { requiredKeys: [] },
    )
    // An error without an id in a request's own response answers that request: the server could not read it.
    .filter(({ error, id }) => !error || typeof id === 'number' || id === 'x')
    .map((message) => `data: ${JSON.stringify(message)}`),
);

test('A call gets its answer among any other messages, and only a few requests of the server are answered at once', async () => {
  let lines: readonly string[] = [];
  let most = 0;
  const held: Exchange[] = [];
  const server = await given((exchange) => {
    const { message, body, plain, stream, response } = exchange;
    if ('result' in body || 'error' in body) {
      most = Math.max(most, held.push(exchange));
      return;
    }
    if (message.method !== 'tools/call') {
      plain();
      return;
    }
    const send = stream();
    for (let times = 0; times < 2; times++) response.write(`${lines.join('\n\n')}\n\n`);
    send({ id: message.id, result: { content: [{ type: 'text', text: 'the answer' }] } });
    response.end();
  });
  const session = await connected(server);
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 200, size: 'max' }), async (some) => {
      lines = some;
      expect(await echo(session)).toBe('the answer');
      await settled();
      for (const { status } of held.splice(0)) status(202);
    }),
    { numRuns: 60 },
  );
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(128);
});
