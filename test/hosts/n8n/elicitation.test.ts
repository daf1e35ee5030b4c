import { describe, expect, test } from 'vitest';
import { call, steps } from '../../../test-support/model/script.js';
import {
  agentWorkflow,
  asJson,
  singleNodeWorkflow,
  verbatim,
  verbatimTool,
} from '../../../test-support/n8n/workflows.js';
import { programPath, startProgram } from '../../../test-support/servers/program.js';
import { useBench, used, usedCredential } from './harness.js';

const form = {
  message: 'Which branch?',
  requestedSchema: {
    type: 'object',
    properties: { branch: { type: 'string', default: 'main' }, force: { type: 'boolean' } },
  },
};
const page = { mode: 'url', message: 'Sign in.', url: 'https://a.example/connect', elicitationId: 'e' };

const asked = (answer: string, fixedAnswers = '{}') => ({ whenServerAsks: { values: { answer, fixedAnswers } } });

describe.each([
  ['2025-11-25', 'sdk-v1.mjs', ['http'], 'tasks-v1.mjs'],
  ['2026-07-28', 'sdk-v2.mjs', ['http', 'latest'], 'tasks-v2.mjs'],
])('When the Server Asks, with a server of %s', (_, script, args, tasksScript) => {
  const bench = useBench();
  const server = used(() => startProgram(programPath(script), args));
  const credential = usedCredential(bench, () => server.url);

  async function agent(tool: string, sent: Record<string, unknown>, options: object, server = credential) {
    bench.model.play(steps(call(tool, sent), { text: 'Done.' }));
    const { runs, error } = await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(server, { options })]));
    expect(error).toBeUndefined();
    const told = JSON.stringify(bench.model.requests.at(-1)!.json.messages.at(-1)!.content).replaceAll('\\', '');
    return { told, hints: JSON.stringify(runs['MCP Verbatim Tool']?.map(({ hints }) => hints)) };
  }

  test('When the Server Asks declines by default, and the model reads what was asked, with the page', async () => {
    const { told, hints } = await agent('asking', { questions: [form, page] }, {});
    for (const text of ['decline', 'Which branch?', 'https://a.example/connect']) expect(told).toContain(text);
    expect(hints).toMatch(/The server asked during.*declined/);
  });

  test('When the Server Asks fills in answers by the names of the fields, also from expressions', async () => {
    const options = asked('fixed', '={{ ({ branch: "release-" + (1 + 1), other: 1 }) }}');
    const { told } = await agent('asking', { questions: [form] }, options);
    expect(told).toContain('"content":{"branch":"release-2"}');
  });

  test('When the Server Asks can answer with the defaults in a call without an agent', async () => {
    const tool = { __rl: true, mode: 'id', value: 'asking' };
    const sent = { argumentsMode: 'json', jsonArguments: asJson(JSON.stringify({ questions: [form, page] })) };
    const parameters = { operation: 'call', tool, ...sent, options: asked('defaults') };
    const execution = await bench.run(singleNodeWorkflow(verbatim(credential, parameters)));
    expect(execution.error).toBeUndefined();
    const { json } = execution.output('MCP Verbatim')[0]!;
    expect(json).toMatchObject({ q0: { action: 'accept', content: { branch: 'main' } } });
    expect(JSON.stringify(json)).toContain('https://a.example/connect');
    expect(JSON.stringify(execution.runs['MCP Verbatim']![0]!.hints)).toContain('answered');
  });

  test('An agent calls a tool that insists on tasks, and answers its question', async () => {
    await using tasks = await startProgram(programPath(tasksScript), ['http']);
    const options = asked('fixed', '{"name":"Ada"}');
    const { told } = await agent('asking', {}, options, await bench.httpCredential(tasks.url));
    expect(told).toContain('{"action":"accept","content":{"name":"Ada"}}');
  });
});
