import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Execution, WorkflowNode } from '../../../../test-support/n8n/api.js';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { expectCall } from './agent-run.js';
import { expectSchemas, matrix } from './matrix.js';
import { setStage } from './stage.js';
import type { Stage } from './stage.js';
import { answer, correct, richTools, slips } from './tool-server.js';
import type { WireTool } from './tool-server.js';

/** AI Agent 1.x lets one choose how it works. Three of the ways are for models without tool calling: all of it is text. */
describe('AI Agent 1.x', () => {
  const table = matrix('Executor');
  let stage: Stage;

  beforeAll(async () => {
    stage = await setStage();
  });
  beforeEach(() => stage.reset());
  afterAll(async () => {
    table.print();
    await stage[Symbol.asyncDispose]();
  });

  async function run(model: WorkflowNode, kind: string, version: number): Promise<Execution> {
    const prompt = version < 1.3 ? {} : { promptType: 'define' };
    const parameters = { agent: kind, ...prompt, text: 'Do what is to be done.', options: {} };
    return await stage.bench.run(
      agentWorkflow(model, [verbatimTool(stage.credential)], { agent: { typeVersion: version, parameters } }),
    );
  }

  test.for([1, 1.5, 1.9])('%d, OpenAI Functions Agent', async (version) => {
    const execution = await run(stage.chatModel, 'openAiFunctionsAgent', version);
    const call = expectCall(execution, stage.server, stage.endpoint.results());
    table.row('OpenAI Functions Agent: AI Agent', expectSchemas(stage.endpoint.offers(), richTools), call, version);
  });

  const blob = (action: string, action_input: unknown) =>
    `\`\`\`json\n${JSON.stringify({ action, action_input })}\n\`\`\``;

  const textAgents = [
    {
      kind: 'conversationalAgent',
      name: 'Conversational Agent',
      script: (input: unknown) => [blob('fg_findPersons', input), blob('Final Answer', 'Done.')],
    },
    {
      kind: 'reActAgent',
      name: 'ReAct Agent',
      script: (input: unknown) => [
        `Thought: I search.\nAction:\n${blob('fg_findPersons', input)}`,
        'Final Answer: Done.',
      ],
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
    stage.server.offer(tools);
    const texts = script(slips);
    stage.bench.model.play(() => ({ text: texts[stage.bench.model.requests.length - 1] ?? 'Enough.' }));
    const execution = await run(stage.bench.modelNode, kind, version);
    expect(execution.output('AI Agent')[0]?.json['output']).toBe('Done.');
    const last = JSON.stringify(stage.bench.model.requests.at(-1)?.json.messages);
    const call = expectCall(execution, stage.server, [last]);
    table.row(`${name}: AI Agent`, `in the prompt, ${expectSchemas(toldInPrompt(), tools)}`, call, version);
  });

  test.for([
    ['JSON text', JSON.stringify(slips), correct],
    ['the only argument there is, as it is', 'What {{it}} takes', { text: 'What {{it}} takes' }],
  ])('a call written as %s', async ([, input, received]) => {
    const name = typeof input === 'string' && input.startsWith('What') ? bracedTool.name : 'fg_findPersons';
    stage.server.offer([...richTools, bracedTool]);
    const texts = [blob(name, input), 'Final Answer: Done.'];
    stage.bench.model.play(() => ({ text: texts[stage.bench.model.requests.length - 1] ?? 'Enough.' }));
    await run(stage.bench.modelNode, 'reActAgent', 1.7);
    expect(stage.server.calls()).toEqual([{ name, arguments: received }]);
  });

  test('what is no call at all is told to the model, and its second try arrives', async () => {
    const texts = [
      blob('fg_findPersons', 'everybody'),
      blob('fg_findPersons', { ...slips, limit: -1 }),
      blob('fg_findPersons', slips),
      'Final Answer: Done.',
    ];
    stage.bench.model.play(() => ({ text: texts[stage.bench.model.requests.length - 1] ?? 'Enough.' }));
    const execution = await run(stage.bench.modelNode, 'reActAgent', 1.7);
    const last = JSON.stringify(stage.bench.model.requests.at(-1)?.json.messages);
    for (const told of [/not a JSON object/, /\/limit: .*-1/, answer]) expect(last).toMatch(told);
    expectCall(execution, stage.server, [last]);
  });

  /** The tools of the prompt that asks for a call, with the very text of their schemas. */
  function toldInPrompt() {
    const prompt = (stage.bench.model.requests.at(-1)?.json.messages ?? [])
      .map(({ content }) => String(content))
      .join('\n');
    const tools = prompt.matchAll(
      /^(\w+): .*(?:\nThe input is one JSON object that fits this JSON Schema|, args): (.*)$/gm,
    );
    return [...tools].map(([, name = '', schema = '']) => ({ name, schema }));
  }
});

/** Braces mean something in the templates of prompts. */
const bracedTool: WireTool = {
  name: 'fill',
  description: 'Fills {in} what {{it}} takes, }}} and all.',
  inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: '{{|}}|}{|{{{x}}}', default: '{}' } } },
};
