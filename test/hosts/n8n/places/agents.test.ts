import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Execution, WorkflowNode } from '../../../../test-support/n8n/api.js';
import { freePort } from '../../../../test-support/free-port.js';
import type { ToolCall } from '../../../../test-support/model/script.js';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { expectArrival, expectCall, modelNode } from './agent-run.js';
import { assembled, extended, joined, node, type Connection } from './assemble.js';
import { expectSchemas } from './expected-schemas.js';
import { startEndpoint } from './models/endpoint.js';
import { postPublished, publish } from './publish.js';
import { useStage } from './stage.js';
import { answer, correct, richTools, slips } from './tool-server.js';

const find: ToolCall = { name: 'find_relatives', arguments: slips };

/** n8n has run agents in two ways: 1.x and 2.x call the tool's function, in 3.x the engine runs the node. */
const versions = [1.9, 2.3, 3.1];
const allVersions = [1.6, 1.7, 1.8, 1.9, 2, 2.1, 2.2, 2.3, 3, 3.1];

describe('AI Agent', () => {
  const stage = useStage();

  interface Agent {
    version: number;
    parameters?: object;
    model?: WorkflowNode;
    nodes?: WorkflowNode[];
    connections?: Connection[];
  }

  async function create({
    version,
    parameters,
    model = stage.chatModel,
    nodes = [],
    connections = [],
  }: Agent): Promise<string> {
    const prompt = { promptType: 'define', text: 'Do what is to be done.', options: {} };
    const kind = version < 2 ? { agent: 'toolsAgent' } : {};
    const agent = { typeVersion: version, parameters: { ...prompt, ...kind, ...parameters } };
    const workflow = agentWorkflow(model, [verbatimTool(stage.credential)], { agent });
    return await stage.bench.api.createWorkflow(extended(workflow, nodes, connections));
  }

  const run = async (agent: Agent) => await stage.bench.api.run(await create(agent), 'Start');

  function expectAll(execution: Execution): void {
    expectCall(execution, stage.server, stage.endpoint.results());
    expectSchemas(stage.endpoint.offers().filter(isOfServer), richTools);
  }

  test.for(allVersions)('AI Agent %d calls the tools', async (version) => {
    const execution = await run({ version });
    expectAll(execution);
    expect(execution.output('AI Agent')[0]?.json['output']).toBe('Done.');
  });

  test.for([1, 1.5, 1.9])('AI Agent %d calls the tools as OpenAI Functions Agent', async (version) => {
    expectAll(await run({ version, parameters: { agent: 'openAiFunctionsAgent' } }));
  });

  // Their model writes calls as text, so n8n accepts no tools with a schema.
  const ofText = ['conversationalAgent', 'reActAgent', 'planAndExecuteAgent'];
  test.for(ofText)("AI Agent 1.9, %s, fails with n8n's own advice to use another agent", async (agent) => {
    const { error } = await run({ version: 1.9, parameters: { agent } });
    expect(`${error?.message} ${error?.description}`).toMatch(/not supported|Tools Agent/i);
  });

  test.for(versions)('AI Agent %d calls the tools with memory', async (version) => {
    const memory = node('Memory', 'memoryBufferWindow', 1.3, {
      sessionIdType: 'customKey',
      sessionKey: `of version ${version}`,
    });
    const connections = [{ from: 'Memory', to: 'AI Agent', type: 'ai_memory' }];
    const workflow = await create({ version, nodes: [memory], connections });
    expectAll(await stage.bench.api.run(workflow, 'Start'));
    stage.reset();
    expect((await stage.bench.api.run(workflow, 'Start')).error).toBeUndefined();
    expect(stage.server.calls().map(({ arguments: args }) => args)).toEqual([correct]);
    expect(stage.endpoint.requests[0]?.body.split('Do what is to be done.')).toHaveLength(1 + 2);
  });

  test.for(versions)('AI Agent %d calls the tools with an output parser', async (version) => {
    stage.endpoint.play(
      { calls: [find] },
      { calls: [{ name: 'format_final_json_response', arguments: { output: { persons: 2 } } }] },
    );
    const parser = node('Parser', 'outputParserStructured', 1.3, {
      schemaType: 'manual',
      inputSchema: JSON.stringify({ type: 'object', properties: { persons: { type: 'number' } } }),
    });
    const connections = [{ from: 'Parser', to: 'AI Agent', type: 'ai_outputParser' }];
    const execution = await run({ version, parameters: { hasOutputParser: true }, nodes: [parser], connections });
    expectAll(execution);
    expect(execution.output('AI Agent')[0]?.json['output']).toEqual({ persons: 2 });
  });

  test.for(versions.filter((version) => version > 2))(
    'AI Agent %d calls the tools with a fallback model',
    async (version) => {
      const nobody = { apiKey: 'none', url: 'http://127.0.0.1:9/v1' };
      const openAiApi = await stage.bench.api.createCredential('Nobody', 'openAiApi', nobody);
      const model: WorkflowNode = { ...stage.chatModel, name: 'Model', credentials: { openAiApi } };
      const fallback: WorkflowNode = { ...stage.chatModel, name: 'Fallback' };
      const connections = [{ from: 'Fallback', to: 'AI Agent', type: 'ai_languageModel', input: 1 }];
      expectAll(await run({ version, model, parameters: { needsFallback: true }, nodes: [fallback], connections }));
    },
  );

  async function streamed(version: number, credential = stage.credential): Promise<Chunk[]> {
    const webhookId = randomUUID();
    const parameters = { public: true, options: { responseMode: 'streaming' } };
    const trigger = node('Chat', 'chatTrigger', 1.3, parameters, { webhookId });
    const agent = node('AI Agent', 'agent', version, { options: {} });
    const tool = verbatimTool(credential);
    const workflow = assembled(
      'Chat',
      [trigger, agent, stage.chatModel, tool],
      [{ from: 'Chat', to: 'AI Agent', type: 'main' }, ...joined('AI Agent', stage.chatModel, tool)],
    );
    await publish(stage.bench.api, workflow);
    const message = { action: 'sendMessage', sessionId: webhookId, chatInput: 'Do what is to be done.' };
    const response = await postPublished(`${stage.bench.api.url}/webhook/${webhookId}/chat`, message);
    const lines = (await response.text()).split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Chunk);
  }

  test.for([2.3, 3.1])('AI Agent %d calls the tools while it streams to a chat', async (version) => {
    expect(contentOf(await streamed(version))).toContain('Done.');
    expectSchemas(stage.endpoint.offers(), richTools);
    expectArrival(stage.server, stage.endpoint.results());
  });

  test.for([2.3, 3, 3.1])(
    'AI Agent %d, streaming to a chat, shows the visitor nothing of a refused call',
    async (version) => {
      stage.endpoint.play({ calls: [{ name: 'find_relatives', arguments: { limit: 'many' } }] }, { text: 'Sorry.' });
      const chunks = await streamed(version);
      expect(chunks.filter(({ type }) => type === 'error')).toEqual([]);
      expect(contentOf(chunks)).not.toMatch(/not called|refused|limit/);
      expect(stage.endpoint.results()).toEqual([expect.stringContaining('/limit')]);
      expect(stage.endpoint.results()[0]).not.toContain('The model reads');
      expect(stage.server.calls()).toEqual([]);
    },
  );

  test.for([2.3, 3.1])(
    'AI Agent %d, streaming to a chat, shows the visitor no address of a server that is down',
    async (version) => {
      const nobody = await stage.bench.httpCredential(`http://127.0.0.1:${await freePort()}/mcp`);
      const content = 'Start the server, or check host and port of the URL.';
      expect(await streamed(version, nobody)).toEqual([expect.objectContaining({ type: 'error', content })]);
    },
  );

  test.for([
    { outer: 2.2, inner: 2.2 },
    { outer: 3.1, inner: 3 },
  ])('AI Agent Tool $inner in AI Agent $outer calls the tools', async ({ outer, inner }) => {
    await using outerEndpoint = await startEndpoint();
    outerEndpoint.play({ calls: [{ name: 'Helper', arguments: { Prompt: 'Find them.' } }] }, { text: 'All done.' });
    const outerModel: WorkflowNode = { ...(await modelNode(stage.bench, outerEndpoint)), name: 'Outer model' };
    const text = "={{ $fromAI('Prompt', 'What to do', 'string') }}";
    const helper = node('Helper', 'agentTool', inner, { toolDescription: 'Finds persons', text, options: {} });
    const tool = verbatimTool(stage.credential);
    const agent = { typeVersion: outer };
    const workflow = extended(
      agentWorkflow(outerModel, [helper], { agent }),
      [stage.chatModel, tool],
      joined('Helper', stage.chatModel, tool),
    );
    const execution = await stage.bench.run(workflow);
    expectAll(execution);
    expect(execution.output('AI Agent')[0]?.json['output']).toBe('All done.');
    expect(outerEndpoint.results()).toEqual([expect.stringContaining('Done.')]);
  });

  test.for(versions)('AI Agent %d reads what does not fit, and its second try arrives', async (version) => {
    const wrong = { ...find, arguments: { ...slips, limit: -1 } };
    stage.endpoint.play({ calls: [wrong] }, { calls: [find] }, { text: 'Done.' });
    const execution = await run({ version });
    expect(execution.error).toBeUndefined();
    // From version 3 on, an agent reads the refusal as an answer, which is a warning on the node.
    const marked = version < 3 ? 'error' : 'success';
    expect(execution.runs['MCP Verbatim Tool']?.map(({ executionStatus }) => executionStatus)).toEqual([
      marked,
      'success',
    ]);
    expect(stage.server.calls().map(({ arguments: args }) => args)).toEqual([correct]);
    expect(stage.endpoint.results()).toEqual([expect.stringMatching(/\/limit.*-1/s), expect.stringContaining(answer)]);
  });
});

function isOfServer({ name }: { name: string }): boolean {
  return name !== 'format_final_json_response';
}

interface Chunk {
  type: string;
  content?: string;
}

function contentOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ content = '' }) => content).join('');
}
