import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, steps } from '../../../demo/model/script.js';
import type { Execution } from '../../../demo/n8n/api.js';
import { openBench } from './harness.js';
import type { Bench } from './harness.js';
import { startRawServer } from './rawServer.js';
import type { RawServer } from './rawServer.js';
import { childrenOf, sourceAt } from './source.js';
import { agentWorkflow, singleNodeWorkflow, verbatim, verbatimTool } from './workflows.js';

const plain = '{"type":"object","properties":{}}';

/** What cannot be called is set aside; every tool stands here as the server writes it. */
const unusable = [
  `{"description":"no name","inputSchema":${plain}}`,
  `{"name":7,"inputSchema":${plain}}`,
  `{"name":"","inputSchema":${plain}}`,
  '{"name":"schema_missing"}',
  '{"name":"schema_null","inputSchema":null}',
  '{"name":"schema_text","inputSchema":"object"}',
  '{"name":"schema_zod","inputSchema":{"_def":{"typeName":"ZodObject","unknownKeys":"strip"},"~standard":{"version":1,"vendor":"zod"}}}',
  '{"name":"schema_string","inputSchema":{"type":"string"}}',
];

/** What is odd but can be called is offered, with its schema as it is. */
const usable = {
  good: '{"type":"object","properties":{"a":{"type":"string"}}}',
  description_null: plain,
  pattern_foreign: '{"type":"object","properties":{"a":{"type":"string","pattern":"(?i)^a+$"}}}',
  keyword_unknown: '{"type":"object","x-order":1,"properties":{"a":{"format":"isbn","widget":"big"}}}',
};

const rootWithoutType = '{"$schema":"http://json-schema.org/draft-07/schema#"}';

const listed = [
  ...unusable,
  ...Object.entries(usable).map(([name, schema]) => {
    const description = name === 'description_null' ? 'null' : `"${name}"`;
    return `{"name":"${name}","description":${description},"inputSchema":${schema}}`;
  }),
  `{"name":"root_without_type","inputSchema":${rootWithoutType}}`,
];

describe('a server whose list holds odd tools', () => {
  let bench: Bench;
  let server: RawServer;
  let agent: Execution;
  let report: Record<string, unknown>;

  beforeAll(async () => {
    bench = await openBench();
    server = await startRawServer((method) => {
      if (method === 'tools/list') return { result: `{"tools":[${listed.join(',')}]}` };
      if (method === 'tools/call') return { result: '{"content":[{"type":"text","text":"called"}]}' };
      return undefined;
    });
    const credential = await bench.httpCredential(server.url);
    bench.model.play(steps(call('pattern_foreign', { a: 'AAA' }), { text: 'Done.' }));
    agent = await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential)]));
    const list = singleNodeWorkflow(verbatim(credential, { operation: 'list', output: 'single' }));
    report = (await bench.run(list)).output('MCP Verbatim')[0]?.json ?? {};
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  test('everything that can be called is offered, with the schema of the wire', () => {
    expect(agent.error).toBeUndefined();
    const told = offers(bench);
    expect(Object.keys(told)).toEqual([...Object.keys(usable), 'root_without_type']);
    expect(told).toMatchObject(usable);
  });

  test('a root without type is told as an object, in front of the original', () => {
    expect(offers(bench)['root_without_type']).toBe(`{"type":"object",${rootWithoutType.slice(1)}`);
  });

  test('List Tools reports what was set aside, and why', () => {
    const setAside = report['setAside'] as { name?: string; reason: { message: string } }[]; // NODES: tool/list, single
    expect(setAside).toHaveLength(unusable.length);
    const named = setAside.flatMap(({ name }) => name ?? []);
    expect(named).toEqual(expect.arrayContaining(['schema_missing', 'schema_null', 'schema_text', 'schema_zod', 'schema_string']));
    for (const { reason } of setAside) expect(reason.message).not.toBe('');
  });

  test('List Tools reports the oddities of what is offered', () => {
    const notes = report['notes'] as { tool: string }[]; // NODES: tool/list, single
    const noted = new Set(notes.map(({ tool }) => tool));
    for (const name of ['description_null', 'pattern_foreign', 'keyword_unknown', 'root_without_type']) {
      expect(noted).toContain(name);
    }
    expect(noted).not.toContain('good');
  });

  test('a hint on the sub-node names the tools that were set aside', () => {
    const runs = agent.runs['MCP Verbatim Tool'] ?? [];
    const hints = runs.flatMap(({ hints }) => hints ?? []).map(({ message }) => message);
    expect(hints.join('\n')).toContain('schema_zod');
  });

  test('a pattern that JavaScript cannot parse is left to the server', () => {
    const calls = server.received.filter(({ method }) => method === 'tools/call').map(({ params }) => params['arguments']);
    expect(calls).toEqual([{ a: 'AAA' }]);
  });
});

function offers(bench: Bench): Record<string, string> {
  const body = bench.model.requests[0]?.body ?? '{}';
  return Object.fromEntries(
    childrenOf(sourceAt(body, 'tools') ?? '[]').map(({ source }) => [
      JSON.parse(sourceAt(source, 'function', 'name') ?? '""') as string, // the chat API's tools all have names
      sourceAt(source, 'function', 'parameters') ?? '',
    ]),
  );
}
