import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { providerSafeSchema } from '../../../../src/internal.js';
import { bare } from '../../../nodes/same-meaning.js';
import { useBench, stepOf, type CredentialReference, used } from '../harness.js';
import type { Offer } from '../../../../test-support/n8n/offers.js';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { expectCall, modelNode } from './agent-run.js';
import { assembled, joined, manualTrigger, node } from './assemble.js';
import { expectMeaning, expectSchemas, matrix } from './matrix.js';
import { messageNodes, messageWorkflow } from './message-nodes.js';
import { startEndpoint } from './models/endpoint.js';
import { richTools, slips, startToolServer, type WireTool } from './tool-server.js';
import { expectTricky, trickyTools } from './tricky-tools.js';

const manyTools = [...richTools, ...trickyTools];

describe('elsewhere in n8n', () => {
  const table = matrix('Elsewhere');
  const bench = useBench();
  const endpoint = used(startEndpoint);
  const server = used(() => startToolServer(richTools));
  let credential: CredentialReference;

  beforeAll(async () => {
    credential = await bench.httpCredential(server.url);
  });
  beforeEach(() => {
    server.offer(richTools);
    endpoint.play({ calls: [{ name: 'find_relatives', arguments: slips }] }, { text: 'Done.' });
  });
  afterAll(async () => {
    table.print();
  });

  test.for(messageNodes)('$name', async (messageNode) => {
    server.offer(manyTools);
    const workflow = await messageWorkflow(bench.api, endpoint, messageNode, verbatimTool(credential));
    const call = expectCall(await bench.run(workflow), server, endpoint.results());
    const isGemini = messageNode.node.type.endsWith('.googleGemini');
    table.row(messageNode.name, isGemini ? expectSubset(endpoint.offers()) : expectZod(endpoint.offers()), call);
  });

  test("Tool Executor: the editor's button on the tool", async () => {
    const tool = verbatimTool(credential);
    const model = await modelNode(bench, endpoint);
    const id = await bench.api.createWorkflow(agentWorkflow(model, [tool]));
    const executionId = await bench.api.begin(id, {
      triggerToStartFrom: { name: 'Start' },
      destinationNode: { nodeName: tool.name, mode: 'inclusive' },
      agentRequest: stepOf('find_relatives', slips),
    });
    const execution = await bench.api.finished(executionId);
    const [item] = execution.runs[tool.name]?.at(-1)?.data?.['ai_tool']?.[0] ?? [];
    table.row(
      '"Execute step" on the tool',
      'not told to a model',
      expectCall(execution, server, [String(item?.json['response'])]),
    );
  });

  test('a sub-workflow with an agent', async () => {
    const trigger = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
    const agent = node('AI Agent', 'agent', 3.1, { promptType: 'define', text: 'Go.', options: {} });
    const tool = verbatimTool(credential);
    const model = await modelNode(bench, endpoint);
    const child = await bench.api.createWorkflow(
      assembled(
        'Child',
        [trigger, agent, model, tool],
        [{ from: 'Called', to: 'AI Agent', type: 'main' }, ...joined('AI Agent', model, tool)],
      ),
    );
    const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
      workflowId: { __rl: true, mode: 'id', value: child },
      options: {},
    });
    const execution = await bench.run(
      assembled('Parent', [manualTrigger, call], [{ from: 'Start', to: 'Call', type: 'main' }]),
    );
    table.row(
      'Sub-workflow',
      expectSchemas(endpoint.offers(), richTools),
      expectCall(execution, server, endpoint.results()),
    );
    expect(execution.output('Call')[0]?.json['output']).toBe('Done.');
  });
});

function expectZod(told: Offer[]): string {
  expectTricky(told, 'http://json-schema.org/draft-07/schema#');
  return expectMeaning(told, manyTools);
}

/** What Gemini's node tells: the projection for Gemini, of a root that is a plain object. */
function expectSubset(told: Offer[]): string {
  const projection = (schema: WireTool['inputSchema']) =>
    providerSafeSchema(providerSafeSchema(schema, 'openai'), 'google');
  expect(told.map(({ name, schema }) => ({ name, schema: bare(JSON.parse(schema)) }))).toEqual(
    manyTools.map(({ name, inputSchema }) => ({ name, schema: bare(projection(inputSchema)) })),
  );
  return "in Gemini's own subset of OpenAPI";
}
