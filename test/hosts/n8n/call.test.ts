import { describe, expect, test } from 'vitest';
import { useBench, used, usedCredential } from './harness.js';
import { startRawServer } from '../../../test-support/servers/raw-server.js';
import { singleNodeWorkflow, verbatim } from '../../../test-support/n8n/workflows.js';

const inputSchema = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    limit: { type: 'integer', minimum: 1 },
    ratio: { type: 'number' },
    exact: { type: 'boolean' },
    state: { enum: ['open', 3, null, true] },
    priority: {
      oneOf: [
        { const: 1, title: 'Low' },
        { const: 2, title: 'High' },
      ],
    },
    on: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    tags: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    filter: { $ref: '#/$defs/filter' },
    either: { type: ['string', 'integer'] },
  },
  required: ['query'],
  additionalProperties: false,
  $defs: { filter: { type: 'object', properties: { depth: { type: 'integer' } } } },
};

describe('a call without an agent', () => {
  const bench = useBench();
  const server = used(startRawServer);
  const credential = usedCredential(bench, () => server.url);

  /** Runs the node with values in its form, or with arguments as JSON. */
  async function execute(value: Record<string, unknown>, json?: string) {
    server.play((method) => {
      if (method === 'tools/list') return { result: JSON.stringify({ tools: [{ name: 'search', inputSchema }] }) };
      return method === 'tools/call' ? { result: '{"content":[]}' } : undefined;
    });
    const form = { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] };
    const tool = { __rl: true, mode: 'list', value: 'search' };
    const node = verbatim(credential, {
      operation: 'call',
      tool,
      ...(json === undefined
        ? { argumentsMode: 'form', form }
        : { argumentsMode: 'json', jsonArguments: { ...form, value: { arguments: json } } }),
      options: json === undefined ? { checks: { values: { checkFormats: true } } } : {},
    });
    const workflow = singleNodeWorkflow(node);
    return await bench.run({ ...workflow, settings: { ...workflow.settings, timezone: 'Europe/Berlin' } });
  }

  async function send(...given: Parameters<typeof execute>) {
    await execute(...given);
    return server.received.find(({ method }) => method === 'tools/call');
  }

  const sent = async (value: Record<string, unknown>) => (await send(value))?.params['arguments'];

  test('A call without an agent sends every value of its form in its real type', async () => {
    const same = { query: 'cats', limit: 10, ratio: 0.5, exact: false, either: '5' };
    const chosen = { state: '3', priority: '2', on: '2026-11-20T10:30:00', at: '2026-11-20T10:30:00' };
    expect(await sent({ ...same, ...chosen, tags: '["a", "b"]', filter: '{"depth": 2}' })).toEqual({
      ...same,
      ...{ state: 3, priority: 2, on: '2026-11-20', at: '2026-11-20T10:30:00+01:00' },
      ...{ tags: ['a', 'b'], filter: { depth: 2 } },
    });
  });

  test('A call without an agent sends typed text, numbers and JSON to the character', async () => {
    const typed = {
      query: '900719925474099312',
      either: '900719925474099312',
      ratio: '1.10',
      tags: '["null"]',
      filter: '{"depth":12345678901234567890, "note":1.10}',
    };
    const form = await send(typed);
    expect(form?.text).toContain(
      '"arguments":{"query":"900719925474099312","either":"900719925474099312","ratio":1.10,' +
        '"tags":["null"],"filter":{"depth":12345678901234567890, "note":1.10}}',
    );
    expect((await send({ query: 'null', either: '1.10', on: '2026-07-31T22:30:00.000Z' }))?.text).toContain(
      '"arguments":{"query":"null","either":"1.10","on":"2026-08-01"}',
    );
    const json = '{"query": "a", "filter": {"depth": 12345678901234567890}, "ratio": 1.10}';
    expect((await send({}, json))?.text).toContain(`"arguments":${json}`);
  });

  test('A call without an agent warns of an integer that an expression may have rounded, and of no typed one', async () => {
    const warning = 'which may have been rounded';
    const hints = async (...given: Parameters<typeof execute>) => {
      const execution = await execute(...given);
      expect(server.received.some(({ method }) => method === 'tools/call')).toBe(true);
      return JSON.stringify(execution.runs['MCP Verbatim']?.[0]?.hints ?? []);
    };
    const rounded = '={{ { depth: 4611686018427387905 } }}';
    expect(await hints({ query: 'a', filter: rounded })).toContain(warning);
    expect(await hints({ query: 'a', filter: rounded, ratio: '1.10' })).toContain(warning);
    expect(await hints({}, '={"query": "a", "filter": {"depth": {{ 2 ** 62 }}}}')).toContain(warning);
    expect(await hints({ query: 'a', filter: '{"depth":1000000000000000000}' })).not.toContain(warning);
    expect(await hints({}, '{"query":"a","filter":{"depth":1000000000000000000}}')).not.toContain(warning);
    expect(await hints({ query: 'a', filter: '={{ \'{"depth":4611686018427387905}\' }}' })).not.toContain(warning);
  });

  test('A call without an agent refuses a number that n8n rounded, and a date that does not exist', async () => {
    const { error: rounded } = await execute({ query: 'a', limit: 900719925474099312 });
    expect(JSON.stringify(rounded)).toContain('may have been rounded');
    const { error: noDay } = await execute({ query: 'a', on: '2026-02-30' });
    expect(JSON.stringify(noDay)).toContain('takes a date');
  });

  test('A call without an agent takes expressions for dates, lists, objects and numbers in its form', async () => {
    const value = {
      query: '={{ "cats" }}',
      on: '={{ $now }}',
      at: '={{ $now }}',
      tags: '={{ ["a"] }}',
      filter: '={{ { depth: 1 } }}',
      limit: '={{ 2 }}',
    };
    expect(await sent(value)).toEqual({
      query: 'cats',
      on: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+[+-]\d{2}:\d{2}$/),
      tags: ['a'],
      filter: { depth: 1 },
      limit: 2,
    });
  });
});
