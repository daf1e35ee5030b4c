import { peerNames, startDriver } from './peer.js';
import { spread } from './spread.js';
import type { Spread } from './spread.js';
import type { ReplayServer } from '../test-support/servers/replay.js';

/** `framework`: the tool, as the framework calls it; `alone`: the client beneath, which checks nothing of the schema. */
export type Way = 'framework' | 'alone';

/** `own`: each peer in a process of its own; `shared`: all of them in one. */
export type Place = 'own' | 'shared';

/** Milliseconds, each with its middle half: connect and list 50 tools; a call with `small` arguments; one with `large` ones. */
export interface Times {
  list: Spread;
  small: Spread;
  large: Spread;
}

/** The peers that can be measured in each way: the others have no client without their tools. */
export const measurable: Readonly<Record<Way, readonly string[]>> = {
  framework: peerNames,
  // The keys of peers/alone.mjs.
  alone: [
    'mcp-verbatim',
    '@langchain/mcp-adapters',
    '@ai-sdk/mcp',
    '@openai/agents',
    'mcp-use',
    '@modelcontextprotocol/sdk',
    '@modelcontextprotocol/client',
    'node:http',
  ],
};

const rounds = 15;
const callsEach = 100;
const text = 'The quarterly figures were sent to everybody on the list, and two of them answered at once. ';
const callArguments = {
  small: { query: 'open invoices', limit: 25, filter: { field: 'status', op: 'eq' } },
  large: {
    query: text,
    limit: 25,
    rows: Array.from({ length: 20 }, (_unused, index) => ({
      id: index,
      title: `Row ${index}`,
      note: text,
      done: false,
    })),
  },
};
export const argumentBytes = {
  small: JSON.stringify(callArguments.small).length,
  large: JSON.stringify(callArguments.large).length,
};

interface Sample {
  list: number;
  call: number;
}

/**
 * The peers take turns, beginning with another one in each round, so that other load on the machine meets all of them.
 */
export async function times(
  folder: string,
  server: ReplayServer,
  { way, place }: { way: Way; place: Place },
): Promise<Map<string, Times>> {
  const names = measurable[way];
  const shared = startDriver(folder);
  const drivers = new Map(names.map((name) => [name, place === 'shared' ? shared : startDriver(folder)]));
  const samples = new Map(names.map((name) => [name, { small: [] as Sample[], large: [] as Sample[] }]));
  try {
    for (let round = 0; round <= rounds; round++) {
      const first = round % names.length;
      for (const name of [...names.slice(first), ...names.slice(0, first)]) {
        for (const size of ['small', 'large'] as const) {
          const request = {
            name,
            way,
            url: server.url('cost'),
            tool: 'tool_1',
            args: callArguments[size],
            count: callsEach,
          };
          const sample = await drivers.get(name)!.ask<Sample>('time', request);
          if (round > 0) samples.get(name)![size].push(sample); // the first round loads the packages
        }
      }
    }
  } finally {
    for (const driver of [shared, ...drivers.values()]) driver.close();
  }
  return new Map(
    [...samples].map(([name, { small, large }]) => [
      name,
      {
        list: spread([...small, ...large].map(({ list }) => list)),
        small: spread(small.map(({ call }) => call)),
        large: spread(large.map(({ call }) => call)),
      },
    ]),
  );
}

export function costServer(): Record<string, string[]> {
  const row = {
    type: 'object',
    properties: {
      id: { type: 'integer', minimum: 0 },
      title: { type: 'string', minLength: 1, maxLength: 200 },
      note: { type: 'string' },
      done: { type: 'boolean', default: false },
    },
    required: ['id', 'title'],
    additionalProperties: false,
  };
  const inputSchema = {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 1, description: 'What to look for.' },
      limit: { type: 'integer', minimum: 0, maximum: 100 },
      filter: { type: 'object', properties: { field: { type: 'string' }, op: { enum: ['eq', 'lt', 'gt'] } } },
      rows: { type: 'array', items: row, maxItems: 1000 },
    },
    required: ['query'],
    additionalProperties: false,
  };
  const tools = Array.from({ length: 50 }, (_unused, index) => ({
    name: `tool_${index}`,
    description: 'Looks rows up, or writes them.',
    inputSchema,
  }));
  return { cost: [JSON.stringify({ jsonrpc: '2.0', id: 0, result: { tools } })] };
}
