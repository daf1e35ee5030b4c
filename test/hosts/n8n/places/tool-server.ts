import { tools as demoTools } from '../../../../test-support/demo-server/tools.js';
import { asJson } from '../../../../test-support/n8n/workflows.js';
import { startRawServer, type RawServer } from '../../../../test-support/servers/raw-server.js';

const fgId = '123e4567-e89b-12d3-a456-426614174000';

/** The model's arguments for `find_relatives`: integers as strings, and a property that only a pattern allows. */
export const slips = { queries: [{ group: fgId, ageMin: '30' }], limit: '100', 'x-trace': 'abc' };

export const correct = { queries: [{ group: fgId, ageMin: 30 }], limit: 100, 'x-trace': 'abc' };

export const answer = 'Two persons were found.';

/** The parameters of a call whose arguments a model gives as JSON. */
export const findStep = {
  operation: 'call',
  tool: { __rl: true, mode: 'name', value: 'find_relatives' },
  argumentsMode: 'json',
  jsonArguments: asJson("={{ $fromAI('Arguments', 'What to search for', 'json') }}"),
};

/** The same for MCP Verbatim as a tool. */
export const findByModel = { ...findStep, descriptionType: 'manual', toolDescription: 'Finds persons' };

export interface WireTool {
  name: string;
  description?: string;
  inputSchema: Record<string, unknown>;
}

/** The tools of the demo, which use many keywords that conversions lose. */
export const richTools: WireTool[] = demoTools;

/** A schema with alternatives at the root, which some providers reject or drop. */
export const rootAlternatives: WireTool = {
  name: 'find_by_id_or_name',
  description: 'Finds one person by id or by name.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
    anyOf: [{ required: ['id'] }, { required: ['name'] }],
  },
};

export interface ToolServer extends AsyncDisposable {
  readonly url: string;
  /** The calls that arrived, oldest first, with the arguments' own text. */
  calls(): { name: unknown; arguments: unknown }[];
  methods(): string[];
  /** Replaces the tools and forgets the calls. */
  offer(tools: WireTool[]): void;
}

/** An MCP server that lists tools as their JSON text says, checks nothing and answers every call alike. */
export async function startToolServer(tools: WireTool[]): Promise<ToolServer> {
  const server: RawServer = await startRawServer();
  const offer = (offered: WireTool[]) =>
    server.play((method) => {
      if (method === 'tools/list') return { result: JSON.stringify({ tools: offered }) };
      if (method === 'tools/call') return { result: JSON.stringify({ content: [{ type: 'text', text: answer }] }) };
      return undefined;
    });
  offer(tools);
  return {
    url: server.url,
    calls: () =>
      server.received
        .filter(({ method }) => method === 'tools/call')
        .map(({ params }) => ({ name: params['name'], arguments: params['arguments'] })),
    methods: () => server.received.map(({ method }) => method),
    offer,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
