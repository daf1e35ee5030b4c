import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { say } from '../../../test-support/model/script.js';
import { sharedFolder } from '../../../test-support/shared.js';
import { recordedServers, type RecordedServer } from './corpus.js';
import { exceptionFor, exceptions } from './exceptions.js';
import { useBench, used } from './harness.js';
import { offersIn } from '../../../test-support/n8n/offers.js';
import { startRawServer } from './raw-server.js';
import { agentWorkflow, builtInTool, verbatimTool } from '../../../test-support/n8n/workflows.js';

const folder = sharedFolder('corpus');

/** Every one in which n8n makes tool calls, and not text. */
const agentVersions = [1.6, 1.7, 1.8, 1.9, 2, 2.1, 2.2, 2.3, 3, 3.1];
const toolsAgent = { agent: 'toolsAgent' };

/** The few tools that OpenAI is known to refuse are told in another form, unless that is switched off, as it is here. */
const originals = { options: { providerSafe: false } };

describe.skipIf(folder === undefined)('the schemas of published servers, as the model is sent them', () => {
  const bench = useBench();
  const server = used(startRawServer);
  let servers: RecordedServer[];

  beforeAll(async () => {
    servers = recordedServers(folder!);
  });

  test('through MCP Verbatim Tool: the very text of the wire', async () => {
    const node = verbatimTool(await bench.httpCredential(server.url), originals);
    const told = await tellModel(await bench.api.createWorkflow(agentWorkflow(bench.modelNode, [node])));
    console.log(`MCP Verbatim Tool: ${summary(told)}`);
    expect([servers.length, told.length]).toEqual([144, 3123]);
    expectVerbatim(told);
  });

  test.for(agentVersions)('through AI Agent %d, from one server that has them all', async (version) => {
    // Names of several servers are alike, so they say no more than which is which.
    const tools = servers.flatMap(({ name, tools }) => tools.map((tool) => ({ server: name, ...tool })));
    const offered = tools.map(({ inputSchema }, index) => `{"name":"t${index}","inputSchema":${inputSchema}}`);
    server.play((method) => (method === 'tools/list' ? { result: `{"tools":[${offered.join(',')}]}` } : undefined));
    bench.model.play(say('Thank you.'));
    const node = verbatimTool(await bench.httpCredential(server.url), originals);
    const parameters = { promptType: 'define', text: 'Go.', options: {}, ...(version < 2 ? toolsAgent : {}) };
    const agent = { typeVersion: version, parameters };
    const { error } = await bench.run(agentWorkflow(bench.modelNode, [node], { agent }));
    expect(error).toBeUndefined();
    const offers = new Map(offersIn(bench.model.requests[0]).map(({ name, schema }) => [name, schema]));
    expectVerbatim(
      tools.map(({ server, name, inputSchema }, index) => ({
        server,
        tool: name,
        wire: inputSchema,
        told: offers.get(`t${index}`),
      })),
    );
  });

  test("through n8n's MCP Client Tool: for comparison", async () => {
    const told = await tellModel(
      await bench.api.createWorkflow(agentWorkflow(bench.modelNode, [builtInTool(server.url)])),
    );
    console.log(`MCP Client Tool:   ${summary(told)}`);
    expect(told.filter(({ told, wire }) => told === wire).length).toBeLessThan(told.length);
  });

  /** Runs the agent once per server and pairs each tool's wire text with the text that the model was told. */
  async function tellModel(workflow: string): Promise<Told[]> {
    const all: Told[] = [];
    for (const recorded of servers) {
      server.play((method) => (method === 'tools/list' ? { result: recorded.result } : undefined));
      bench.model.play(say('Thank you.'));
      await bench.api.run(workflow, 'Start');
      const offers = new Map(offersIn(bench.model.requests[0]).map(({ name, schema }) => [name, schema]));
      for (const { name, inputSchema } of recorded.tools) {
        all.push({ server: recorded.name, tool: name, wire: inputSchema, told: offerOf(name, offers) });
      }
    }
    return all;
  }
});

function expectVerbatim(told: Told[]): void {
  const differing = told.filter(({ wire, told }) => told !== canonical(wire));
  const named = exceptions.flatMap(({ tools }) =>
    Object.entries(tools).flatMap(([server, names]) => names.map((name) => `${server} ${name}`)),
  );
  expect(differing.map(({ server, tool }) => `${server} ${tool}`).sort()).toEqual(named.sort());
  for (const { server, tool, wire, told } of differing) {
    expect(told).toBe(exceptionFor(server, tool)?.told(canonical(wire)));
  }
}

interface Told {
  server: string;
  tool: string;
  /** The text of the schema on the wire. */
  wire: string;
  /** The text of the parameters in the request to the model. */
  told: string | undefined;
}

/** The built-in node puts its own name in front, cut so that the whole stays within 64 characters. */
function offerOf(tool: string, offers: Map<string, string>): string | undefined {
  const names = [tool, ...Array.from('MCP_Client', (_, index) => `${'MCP_Client'.slice(0, index + 1)}_${tool}`)];
  const name = names.find((name) => offers.has(name));
  return name === undefined ? undefined : offers.get(name);
}

/** The text as JSON.stringify writes it: equal to the wire's wherever the server wrote it so. */
function canonical(source: string): string {
  return JSON.stringify(JSON.parse(source));
}

function summary(told: Told[]): string {
  const share = (holds: (one: Told) => boolean) => {
    const count = told.filter(holds).length;
    return `${count} (${((100 * count) / told.length).toFixed(1)} %)`;
  };
  return (
    `${told.length} tools; character-identical ${share(({ wire, told }) => told === canonical(wire))}, ` +
    `the wire's very text ${share(({ wire, told }) => told === wire)}, ` +
    `equal as JSON ${share(({ wire, told }) => told !== undefined && isDeepStrictEqual(JSON.parse(told), JSON.parse(wire)))}, ` +
    `not offered ${share(({ told }) => told === undefined)}${missing(told)}`
  );
}

function missing(told: Told[]): string {
  const lost = told.filter((one) => one.told === undefined).map(({ server }) => server);
  return [...new Set(lost)]
    .map((server) => `\n  not offered: ${lost.filter((one) => one === server).length} of ${server}`)
    .join('');
}
