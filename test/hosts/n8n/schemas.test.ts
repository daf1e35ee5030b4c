import { beforeAll, describe, expect, test } from 'vitest';
import { say } from '../../../test-support/model/script.js';
import { offersIn } from '../../../test-support/n8n/offers.js';
import { childrenOf, sourceAt } from '../../../test-support/n8n/source.js';
import { agentWorkflow, singleNodeWorkflow, verbatim, verbatimTool } from '../../../test-support/n8n/workflows.js';
import { readCorpus } from '../../../test-support/servers/corpus.js';
import { corpusIsComplete, sharedFolder } from '../../../test-support/shared.js';
import { useBench, used, type CredentialReference } from './harness.js';
import { withPlainRoot } from './plain-root.js';
import { startRawServer } from '../../../test-support/servers/raw-server.js';

const folder = sharedFolder('corpus');

/** n8n has run agents in two ways: 1.x and 2.x call the tool's function, in 3.x the engine runs the node. */
const agentVersions = [1.9, 2.3, 3.1];

/** The schemas of all published servers in one server. Several share a name, so their names here are just numbers. */
describe.skipIf(folder === undefined)('the tools of published servers', () => {
  const bench = useBench();
  const server = used(startRawServer);
  let credential: CredentialReference;
  let tools: string[];

  beforeAll(async () => {
    credential = await bench.httpCredential(server.url);
    tools = readCorpus(folder!)
      .flatMap(({ toolsListLines: [line = '{}'] }) => childrenOf(sourceAt(line, 'result', 'tools') ?? '[]'))
      .map(({ source }, index) => JSON.stringify({ ...(JSON.parse(source) as object), name: `t${index}` }));
    server.play((method) => (method === 'tools/list' ? { result: `{"tools":[${tools.join(',')}]}` } : undefined));
  });

  test.for(agentVersions)('The model is sent the schemas of the wire through AI Agent %d', async (version) => {
    bench.model.play(say('Thank you.'));
    // The few tools that OpenAI is known to reject are adapted, unless that is switched off, as it is here.
    const node = verbatimTool(credential, { options: { adaptSchemas: false } });
    const agent = { ...(version < 2 ? { agent: 'toolsAgent' } : {}), promptType: 'define', text: 'Go.' };
    const parameters = { ...agent, options: {} };
    const workflow = agentWorkflow(bench.modelNode, [node], { agent: { typeVersion: version, parameters } });
    expect((await bench.run(workflow)).error).toBeUndefined();
    const wire = tools.map((tool) => sourceAt(tool, 'inputSchema')!);
    const sent = offersIn(bench.model.requests[0]).map(({ schema }) => schema);
    expect(sent).toEqual(wire.map(withPlainRoot));
    if (!corpusIsComplete()) return;
    expect([sent.length, sent.filter((schema, index) => schema !== wire[index]).length]).toEqual([3123, 22]);
  });

  test('List Tools gives the tool objects of the wire, unknown fields and the order of keys included', async () => {
    const node = verbatim(credential, { operation: 'list', output: 'perTool' });
    const execution = await bench.run(singleNodeWorkflow(node));
    expect(execution.output('MCP Verbatim').map(({ json }) => JSON.stringify(json))).toEqual(tools);
  });
});
