import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Execution, WorkflowNode } from '../../../../demo/n8n/api.js';
import { openBench } from '../harness.js';
import type { Bench, CredentialReference } from '../harness.js';
import { agentWorkflow, verbatimTool } from '../workflows.js';
import { expectCall, modelNode } from './agentRun.js';
import { expectSchemas, matrix } from './matrix.js';
import { startEndpoint } from './models/endpoint.js';
import type { Endpoint } from './models/endpoint.js';
import { answer, correct, richTools, slips, startToolServer } from './toolServer.js';
import type { ToolServer, WireTool } from './toolServer.js';

/** AI Agent 1.x lets one choose how it works. Three of the ways are for models without tool calling: all of it is text. */
describe('AI Agent 1.x', () => {
  const table = matrix('Executor');
  let bench: Bench;
  let endpoint: Endpoint;
  let server: ToolServer;
  let credential: CredentialReference;
  let chatModel: WorkflowNode;

  beforeAll(async () => {
    bench = await openBench();
    endpoint = await startEndpoint();
    server = await startToolServer(richTools);
    credential = await bench.httpCredential(server.url);
    chatModel = await modelNode(bench, endpoint);
  });
  beforeEach(() => server.offer(richTools));
  afterAll(async () => {
    table.print();
    await server[Symbol.asyncDispose]();
    await endpoint[Symbol.asyncDispose]();
    await bench[Symbol.asyncDispose]();
  });

  async function run(model: WorkflowNode, kind: string, version: number): Promise<Execution> {
    const prompt = version < 1.3 ? {} : { promptType: 'define' };
    const parameters = { agent: kind, ...prompt, text: 'Do what is to be done.', options: {} };
    return await bench.run(agentWorkflow(model, [verbatimTool(credential)], { agent: { typeVersion: version, parameters } }));
  }

  test.for([1, 1.5, 1.9])('%d, OpenAI Functions Agent', async (version) => {
    endpoint.play({ calls: [{ name: 'fg_findPersons', arguments: slips }] }, { text: 'Done.' });
    const execution = await run(chatModel, 'openAiFunctionsAgent', version);
    const call = expectCall(execution, server, endpoint.results());
    table.row('OpenAI Functions Agent: AI Agent', expectSchemas(endpoint.offers(), richTools), call, version);
  });

  const blob = (action: string, action_input: unknown) => `\`\`\`json\n${JSON.stringify({ action, action_input })}\n\`\`\``;

  const textAgents = [
    {
      kind: 'conversationalAgent',
      name: 'Conversational Agent',
      script: (input: unknown) => [blob('fg_findPersons', input), blob('Final Answer', 'Done.')],
    },
    {
      kind: 'reActAgent',
      name: 'ReAct Agent',
      script: (input: unknown) => [`Thought: I search.\nAction:\n${blob('fg_findPersons', input)}`, 'Final Answer: Done.'],
    },
    {
      kind: 'planAndExecuteAgent',
      name: 'Plan and Execute Agent',
      script: (input: unknown) => [
        'Plan:\n1. Search.\n<END_OF_PLAN>',
        `Thought: I search.\nAction:\n${blob('fg_findPersons', input)}`,
        `Action:\n${blob('Final Answer', 'Done.')}`,
      ],
    },
  ];

  const cases = textAgents.flatMap((agent) => [1, 1.4, 1.5, 1.9].map((version) => ({ ...agent, version })));

  test.for(cases)('$version, $name', async ({ kind, name, script, version }) => {
    const tools = [...richTools, bracedTool];
    server.offer(tools);
    const texts = script(slips);
    bench.model.play(() => ({ text: texts[bench.model.requests.length - 1] ?? 'Enough.' }));
    const execution = await run(bench.modelNode, kind, version);
    expect(execution.output('AI Agent')[0]?.json['output']).toBe('Done.');
    const last = JSON.stringify(bench.model.requests.at(-1)?.json.messages);
    const call = expectCall(execution, server, [last]);
    table.row(`${name}: AI Agent`, `in the prompt, ${expectSchemas(toldInPrompt(), tools)}`, call, version);
  });

  test.for([
    ['JSON text', JSON.stringify(slips), correct],
    ['the only argument there is, as it is', 'What {{it}} takes', { text: 'What {{it}} takes' }],
  ])('a call written as %s', async ([, input, received]) => {
    const name = typeof input === 'string' && input.startsWith('What') ? bracedTool.name : 'fg_findPersons';
    server.offer([...richTools, bracedTool]);
    const texts = [blob(name, input), 'Final Answer: Done.'];
    bench.model.play(() => ({ text: texts[bench.model.requests.length - 1] ?? 'Enough.' }));
    await run(bench.modelNode, 'reActAgent', 1.7);
    expect(server.calls()).toEqual([{ name, arguments: received }]);
  });

  test('what is no call at all is told to the model, and its second try arrives', async () => {
    const texts = [blob('fg_findPersons', 'everybody'), blob('fg_findPersons', { ...slips, limit: -1 }), blob('fg_findPersons', slips), 'Final Answer: Done.'];
    bench.model.play(() => ({ text: texts[bench.model.requests.length - 1] ?? 'Enough.' }));
    const execution = await run(bench.modelNode, 'reActAgent', 1.7);
    const last = JSON.stringify(bench.model.requests.at(-1)?.json.messages);
    for (const told of [/not a JSON object/, /\/limit: .*-1/, answer]) expect(last).toMatch(told);
    expectCall(execution, server, [last]);
  });

  /** The tools of the prompt that asks for a call, with the very text of their schemas. */
  function toldInPrompt() {
    const prompt = (bench.model.requests.at(-1)?.json.messages ?? []).map(({ content }) => String(content)).join('\n');
    const tools = prompt.matchAll(/^(\w+): .*(?:\nThe input is one JSON object that fits this JSON Schema|, args): (.*)$/gm);
    return [...tools].map(([, name = '', schema = '']) => ({ name, schema }));
  }
});

/** Braces mean something in the templates of prompts. */
const bracedTool: WireTool = {
  name: 'fill',
  description: 'Fills {in} what {{it}} takes, }}} and all.',
  inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: '{{|}}|}{|{{{x}}}', default: '{}' } } },
};
