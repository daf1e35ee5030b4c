import type { ToolMessage } from '@langchain/core/messages/tool';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { agentTools } from '../../src/index.js';
import { mcpTools } from '../../src/langchain/index.js';
import { integer, object, string } from '../../test-support/schemas/short.js';
import { type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import expected from './every-option.json' with { type: 'json' };

/** Two servers whose answers hold their names. */
let servers: HttpServer[];
beforeEach(async () => {
  servers = await Promise.all(['north', 'south'].map(serve));
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.close()));
  });
});

async function serve(of: string): Promise<HttpServer> {
  const look = { name: 'look', title: `Look ${of}`, description: `Looks ${of}.`, annotations: { title: of } };
  const inputSchema = object({ n: integer, tenant: string, open: { $ref: '#/nowhere' } });
  const outputSchema = object({ of: string }, { required: ['of'] });
  const others = ['fail', 'busy', 'error'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const text = (words: string) => [{ type: 'text', text: words }];
  return await startHttpServer({
    initialize: ({ introduce }) =>
      introduce({ serverInfo: { name: `own ${of}`, version: '1' }, instructions: `Instructions of ${of}.` }),
    'tools/list': { tools: [{ ...look, inputSchema, outputSchema }, ...others, { name: `broken ${of}` }] },
    'tools/call': ({ message, json, result, status }) => {
      const { name } = message.params ?? {};
      const error = { code: -32_000, message: `Not ${of}` };
      if (name === 'look') result({ content: text(`Seen ${of}.`), structuredContent: { [of]: 1 }, _meta: { of } });
      else if (name === 'fail') result({ content: text(`No ${of}.`), isError: true });
      else if (name === 'busy') status(429, `slow ${of}`, { 'retry-after': '7' });
      else json({ jsonrpc: '2.0', id: message.id, error });
    },
  });
}

/** Two entries whose options differ from each other, from those for all, and from the defaults. */
function source() {
  const [north, south] = servers.map(({ url }) => url);
  const fixed = { look: { tenant: 'of the entry' } };
  return {
    mcpServers: {
      n: { url: north!, headers: { 'X-Of': 'n' }, fixed, exclude: ['error'] },
      s: { url: south!, headers: { 'X-Of': 's' }, repairs: 'off' as const, timeouts: { look: 9000 } },
      off: { url: 'http://127.0.0.1:9/mcp', disabled: true },
    },
  };
}

const calls: [tool: string, args: object][] = [
  ...['n', 's'].flatMap((server): [string, object][] => [
    [`${server}__look`, { n: '1' }],
    [`${server}__look`, { n: 2, open: 1 }],
    [`${server}__look`, { n: 3, tenant: 'of the model' }],
    [`${server}__fail`, {}],
    [`${server}__busy`, {}],
  ]),
  ['s__error', {}],
];

const requests = () =>
  servers.map((server) =>
    server.seen.splice(0).flatMap(({ verb, message: { method, params = {} }, headers }) => {
      const meta = { ...(params['_meta'] as object), progressToken: undefined }; // of JSON
      const sent = { name: params['name'], arguments: params['arguments'], meta };
      return verb === 'POST' ? [{ method, ...sent, of: headers['x-of'], call: headers['x-call'] }] : [];
    }),
  );

const shared = { fixed: { look: { tenant: 'of all' } }, assertFormats: true, whenUndetermined: 'refuse' as const };

/** JSON in which the addresses of the servers are the same at every run. */
const asText = (value: unknown) => JSON.stringify(value, null, 2).replaceAll(/127\.0\.0\.1:\d\d+/g, 'address');

test('Every option of mcpTools acts on the tools, messages, artifacts and requests of its own server', async () => {
  await using tools = await mcpTools(source(), {
    ...shared,
    extras: ({ name }, server) => ({ of: `${server} ${name}` }),
    before: ({ server, tool, arguments: given }) => ({
      headers: { 'X-Call': `${server}.${tool.name}` },
      meta: { server, given },
    }),
  });
  const listed = tools.map(({ name, description, metadata, extras, schema }) => ({
    name,
    description,
    metadata,
    extras,
    schema,
  }));
  const messages: unknown[] = [];
  for (const [index, [name, args]] of calls.entries()) {
    const call = { type: 'tool_call' as const, id: `call ${index}`, name, args: { ...args } };
    const message: ToolMessage = await tools.find((each) => each.name === name)!.invoke(call);
    const { content, artifact, status, tool_call_id, metadata } = message as ToolMessage & { metadata: unknown };
    messages.push({ name: message.name, content, artifact, status, tool_call_id, metadata });
  }
  const { report, instructions } = tools;
  const happened = { listed, messages, report, instructions, requests: requests() };
  expect(asText(happened)).toBe(asText(expected.mcpTools));
});

test('Every option of agentTools acts on the tools, outcomes and requests of its own server', async () => {
  await using tools = await agentTools(source(), shared);
  const listed = tools.map(({ name, title, description, server, inputSchema, needsApproval }) => ({
    ...{ name, title, description, server, inputSchema, needsApproval: typeof needsApproval },
  }));
  const outcomes: unknown[] = [];
  for (const [name, args] of calls) outcomes.push(await tools.find((each) => each.name === name)!.call(args));
  const { report, instructions } = tools;
  const happened = { listed, outcomes, report, instructions, requests: requests() };
  expect(asText(happened)).toBe(asText(expected.agentTools));
});
