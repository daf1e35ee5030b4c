import type { INode } from 'n8n-workflow';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import { itemsOf } from '../../nodes/host/agent-item.js';
import { execution, readableText } from './context.js';
import table from './every-operation.json' with { type: 'json' };
import { built } from './packed.js';

/** What n8n stores, and the parameters of each item: those at even places ask the first server, the others the second. */
interface Run {
  settings?: Partial<INode>;
  /** More members of n8n's context. */
  context?: object;
  items: object[];
}

/** Two servers whose answers hold their names. */
let servers: HttpServer[];
/** A method that no server answers. */
let unanswered: string;
beforeEach(async () => {
  unanswered = 'none';
  servers = await Promise.all(['north', 'south'].map(serve));
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.close()));
  });
});

async function serve(of: string): Promise<HttpServer> {
  const { results, calls } = JSON.parse(
    JSON.stringify(table.server).replaceAll('BYTES', btoa(of)).replaceAll('OF', of),
  ) as Record<string, Record<string, object>>;
  let answered = (_text: string) => {};
  return await startHttpServer(({ body, message, response, stream, result, status, introduce, text, plain }) => {
    const { name, arguments: args } = message.params ?? {};
    const fixed =
      message.method === 'tools/call'
        ? (calls![`${name as string} ${of}`] ?? calls![name as string])
        : results![message.method];
    if ('result' in body) answered(JSON.stringify({ ...(body['result'] as object), serverAsked: of }));
    if (message.method === 'server/discover') status(400);
    else if (message.method === unanswered) return;
    else if (message.method === 'initialize') introduce(fixed);
    else if (fixed) result(fixed);
    else if (name === 'give') {
      // As text, with numbers that JavaScript would round.
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${message.id},"result":${argumentsIn(text)}}`);
    } else if (name === 'ask') {
      const send = stream();
      answered = (given) => {
        const error = { code: -32_000, message: `Not ${of}` };
        const result = { content: [{ type: 'text', text: given }] };
        send({ id: message.id, ...('fail' in Object(args) ? { error } : { result }) });
        response.end();
      };
      send({
        id: 'question',
        method: 'elicitation/create',
        params: results!['page' in Object(args) ? 'page' : 'question'],
      });
    } else plain();
  });
}

const argumentsIn = (text: string) =>
  (/"arguments":(\{.*\}),"_meta"/.exec(text) ?? /"arguments":(\{.*?\})[,}]/.exec(text))?.[1];

/** Runs the node for items, each with its own parameters and credential. */
async function run({ items, settings = {}, context: more }: Run) {
  const type = built.node('McpVerbatim');
  const started = execution({ type, settings });
  const ofItems = items.map((parameters) => execution({ type, parameters: { ...parameters } }).run());
  const context = Object.assign(started.run(items.map(() => ({ json: {} }))), more, {
    getNodeParameter: (name: string, item: number, ...rest: [never]) =>
      ofItems[item]!.getNodeParameter(name, 0, ...rest),
    getCredentials: async (_type: string, item: number) => {
      const { url } = servers[item % 2]!;
      return { url, transport: 'http', authentication: 'bearer', token: `token-${item % 2}` };
    },
  });
  const [output] = (await Promise.resolve(type.execute?.call(context)).catch((error: unknown) => [error])) as unknown[];
  const requests = servers.map(requestsTo);
  return { output, hints: started.hints, logged: started.logged, seen: more && itemsOf(context), requests };
}

/** The requests of a server, but for what differs by run or release. */
function requestsTo({ seen }: HttpServer): unknown[] {
  const sent = seen.filter(({ message, verb }) => verb === 'POST' && message.id !== undefined);
  return sent.map(({ body, headers, message, text }) => {
    const params = { ...message.params, arguments: argumentsIn(text), clientInfo: undefined, _meta: undefined };
    const meta = { ...(message.params?.['_meta'] as object), progressToken: undefined };
    const { 'x-item': item, authorization } = headers;
    return { method: message.method, params, meta, result: body['result'], item, authorization };
  });
}

test.each(table.runs as (Run & { what: string; happened: unknown })[])(
  'Every operation has the parameters, options and credential of its item, and gives the item what its server sent: items $what',
  async (given) => {
    const happened = await run(given);
    expect(readableText(happened)).toBe(readableText(given.happened));
  },
);

test.each(table.unanswered as [string, object][])(
  'The time limit of an item ends %s, which the server does not answer: %j',
  async (method, parameters) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    unanswered = method;
    const options = (idleTimeout: number) => ({ options: { timeLimits: { values: { idleTimeout } } } });
    const items = [
      { ...table.runs[0]!.items[0], ...options(9) },
      { ...parameters, ...options(2) },
    ].slice(method === 'tools/list' ? 1 : 0);
    const ended = run({ items });
    await expect.poll(() => servers.flatMap((server) => server.methods())).toContain(method);
    await vi.advanceTimersByTimeAsync(2000);
    expect(String((await ended).output)).toContain(`did not answer ${method} within 2 seconds.`);
  },
);
