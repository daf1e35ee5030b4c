import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agentTools } from '../../src/index.js';
import type { AgentCallOptions, AgentToolsOptions } from '../../src/index.js';
import { mcpTools } from '../../src/langchain/index.js';
import type { McpToolsOptions } from '../../src/langchain/index.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { first, reached, second, stable } from '../serve/two-servers.js';

/** What programs see and get, what both servers get, and what the functions of the options are given. */
const cases = JSON.parse(readFileSync(new URL('./transcripts.json', import.meta.url), 'utf8')) as Case[];

interface Case {
  door: keyof typeof doors;
  title: string;
  /** Besides the address, which each of the two servers has. */
  entries: { one: object; two: object };
  options: object;
  opened: object;
  calls: { tool: string; args: unknown; more?: object; comes: object }[];
}
type Heard = (what: string, ...about: unknown[]) => unknown;

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

/** What `before` makes of a call for this. */
const changed = {
  headers: { 'x-key': 'of before' },
  meta: { own: 1 },
  arguments: { tenant: 't', q: 'new', limit: '5' },
};
const doors = {
  async agentTools(source: object, options: AgentToolsOptions, heard: Heard) {
    const all = await agentTools(source as Parameters<typeof agentTools>[0], { ...listening(heard), ...options });
    return {
      all,
      shown: all,
      call(name: string, args: unknown, more: object) {
        const onProgress: AgentCallOptions['onProgress'] = (progress) => heard('onProgress of the call', progress);
        return all.find((tool) => tool.name === name)!.call(args, { ...more, onProgress });
      },
    };
  },
  async mcpTools(source: object, options: McpToolsOptions, heard: Heard) {
    const hooks: McpToolsOptions = {
      before: ({ config: _, ...about }) => {
        heard('before', about);
        return (about.arguments as { q?: unknown }).q === 'changed' ? changed : undefined;
      },
      after: ({ config: _, ...about }) => void heard('after', about),
    };
    const given = { ...listening(heard), ...hooks, ...options };
    const all = await mcpTools(source as Parameters<typeof mcpTools>[0], given);
    return {
      all,
      shown: all.map((tool) => [tool.name, tool.description, tool.schema, tool.metadata, tool.extras]),
      async call(name: string, args: unknown, more: object) {
        const call = { type: 'tool_call' as const, id: 'call_1', name, args: args as Record<string, unknown> };
        const { content, artifact, status } = await all.find((tool) => tool.name === name)!.invoke(call, more);
        return { content, artifact: artifact as unknown, status };
      },
    };
  },
};

/** The stream for unasked messages is opened beside requests. */
const byText = (one: object, other: object) => JSON.stringify(one).localeCompare(JSON.stringify(other));

/** Errors with their members, and a server's tool as its name. */
function plain(_name: string, value: unknown): unknown {
  if (value instanceof Error)
    return { kind: value.name, says: value.message, ...Object.fromEntries(Object.entries(value)) };
  const { name, definition, text } = Object(value) as Record<string, unknown>;
  return definition && text ? name : value;
}

test.each(cases)('Of two servers, $door gets and sends this, and nothing else: $title', async (given) => {
  await using one = await startHttpServer(first());
  await using two = await startHttpServer(second);
  const heard: unknown[] = [];
  /** What happened since the last time. */
  const happened = (value: object) => {
    const seen = { one: reached(one).sort(byText), two: reached(two).sort(byText), heard: heard.splice(0) };
    return stable(JSON.parse(JSON.stringify({ ...value, ...seen }, plain)) as object);
  };
  const mcpServers = { one: { url: one.url, ...given.entries.one }, two: { url: two.url, ...given.entries.two } };
  const { all, shown, call } = await doors[given.door]({ mcpServers }, given.options, (...about) => heard.push(about));
  const { report, instructions } = all;
  expect(happened({ shown, report, instructions })).toEqual(given.opened);
  for (const { tool, args, more = {}, comes } of given.calls)
    expect(happened({ outcome: await call(tool, args, more) }), tool).toEqual(comes);
  await all.close();
});
