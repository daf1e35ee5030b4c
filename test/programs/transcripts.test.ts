import { readFileSync } from 'node:fs';
import type { ToolMessage } from '@langchain/core/messages/tool';
import { expect, test } from 'vitest';
import { agentTools } from '../../src/index.js';
import type { AgentCallOptions, AgentToolsOptions } from '../../src/index.js';
import { mcpTools } from '../../src/langchain/index.js';
import type { McpToolsOptions } from '../../src/langchain/index.js';
import { integer, object, string } from '../../test-support/schemas/short.js';
import { type Answers, startHttpServer } from '../../test-support/servers/http.js';
import { first, inOrder, reached, second, stable } from '../../test-support/servers/two-servers.js';

/** What programs see and get, what both servers get, and what the functions of the options are given. */
const cases = JSON.parse(readFileSync(new URL('./transcripts.json', import.meta.url), 'utf8')) as Case[];

interface Case {
  door: keyof typeof doors;
  title: string;
  /** Besides the addresses of the two servers. */
  entries: { one: object; two: object };
  /** True if they have the same tools, and answer with their names. */
  alike?: true;
  options: object;
  opened: object;
  calls: { tool: string; args: unknown; more?: object; comes: object }[];
}
type Source = Parameters<typeof agentTools>[0] & Parameters<typeof mcpTools>[0];
type Heard = (what: string, ...about: unknown[]) => unknown;

function namedServer(of: string): Answers {
  const look = { name: 'look', title: `Look ${of}`, description: `Looks ${of}.`, annotations: { title: of } };
  const inputSchema = object({ n: integer, tenant: string, open: { $ref: '#/nowhere' } });
  const outputSchema = object({ of: string }, { required: ['of'] });
  const others = ['fail', 'busy', 'error'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const text = (words: string) => [{ type: 'text', text: words }];
  return {
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
  };
}

const content = { name: 'Ada', colour: 'g' };

/** The options that are functions: what they are given is written down. */
function listening(heard: Heard) {
  return {
    elicit: (question: unknown) => {
      heard('elicit', question);
      return Promise.resolve({ action: 'accept' as const, content });
    },
    onProgress: (...about: unknown[]) => void heard('onProgress', ...about),
    onNotification: (...about: unknown[]) => void heard('onNotification', ...about),
  };
}

/** What `before` makes of a call with this argument. */
const changes: Record<string, (about: { server: string; tool: { name: string } }) => object> = {
  changed: () => ({
    headers: { 'x-key': 'of before' },
    meta: { own: 1 },
    arguments: { tenant: 't', q: 'new', limit: '5' },
  }),
  marked: ({ server, tool }) => ({ headers: { 'X-Call': `${server}.${tool.name}` }, meta: { server } }),
};
const doors = {
  async agentTools(source: Source, options: AgentToolsOptions, heard: Heard) {
    const all = await agentTools(source, { ...listening(heard), ...options });
    return {
      all,
      shown: all,
      call(name: string, args: unknown, more: object) {
        const onProgress: AgentCallOptions['onProgress'] = (progress) => heard('onProgress of the call', progress);
        return all.find((tool) => tool.name === name)!.call(args, { ...more, onProgress });
      },
    };
  },
  async mcpTools(source: Source, options: McpToolsOptions, heard: Heard) {
    const hooks: McpToolsOptions = {
      before: ({ config: _, ...about }) => {
        heard('before', about);
        return changes[(about.arguments as { q?: string }).q ?? '']?.(about);
      },
      extras: ({ name }, server) => ({ of: `${server} ${name}` }),
      after: ({ config: _, ...about }) => void heard('after', about),
    };
    const all = await mcpTools(source, { ...listening(heard), ...hooks, ...options });
    return {
      all,
      shown: all.map((tool) => [tool.name, tool.description, tool.schema, tool.metadata, tool.extras]),
      async call(name: string, args: unknown, more: object) {
        const call = { type: 'tool_call' as const, id: 'call_1', name, args: args as Record<string, unknown> };
        const message: ToolMessage = await all.find((tool) => tool.name === name)!.invoke(call, more);
        const { content, artifact, status, metadata } = message as ToolMessage & { metadata: unknown };
        return { of: [message.name, message.tool_call_id], content, artifact: artifact as unknown, status, metadata };
      },
    };
  },
};

/** Errors with their members, and a server's tool as its name. */
function plain(_name: string, value: unknown): unknown {
  if (value instanceof Error)
    return { kind: value.name, says: value.message, ...Object.fromEntries(Object.entries(value)) };
  const { name, definition, text } = Object(value) as Record<string, unknown>;
  return definition && text ? name : value;
}

test.each(cases)('Of two servers, $door gets and sends this, and nothing else: $title', async (given) => {
  await using one = await startHttpServer(given.alike ? namedServer('north') : first());
  await using two = await startHttpServer(given.alike ? namedServer('south') : second);
  const came = { one: [] as object[], two: [] as object[], heard: [] as unknown[] };
  const comes = async (value: object, expected: object) => {
    const look = () => {
      came.one.push(...reached(one));
      came.two.push(...reached(two));
      const all = { ...value, one: inOrder(came.one), two: inOrder(came.two), heard: came.heard };
      return stable(JSON.parse(JSON.stringify(all, plain)) as object);
    };
    await expect.poll(look, { interval: 5 }).toEqual(expected);
    for (const list of Object.values(came)) list.length = 0;
  };
  const { entries } = given;
  const mcpServers = { ...entries, one: { url: one.url, ...entries.one }, two: { url: two.url, ...entries.two } };
  const heard: Heard = (...about) => came.heard.push(about);
  const { all, shown, call } = await doors[given.door]({ mcpServers }, given.options, heard);
  await comes({ shown, report: all.report, instructions: all.instructions }, given.opened);
  for (const { tool, args, more = {}, comes: expected } of given.calls)
    await comes({ outcome: await call(tool, args, more) }, expected);
  await all.close();
});
