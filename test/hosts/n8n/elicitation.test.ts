import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, steps } from '../../../test-support/model/script.js';
import { agentWorkflow, singleNodeWorkflow, verbatim, verbatimTool } from '../../../test-support/n8n/workflows.js';
import { programPath, startProgram, type Program } from '../../../test-support/servers/program.js';
import { useBench, type CredentialReference } from './harness.js';

const form = {
  message: 'Which branch?',
  requestedSchema: {
    type: 'object',
    properties: { branch: { type: 'string', default: 'main' }, force: { type: 'boolean' } },
  },
};
const page = { mode: 'url', message: 'Sign in.', url: 'https://a.example/connect', elicitationId: 'e' };

describe.each([
  ['2025-11-25', 'sdk-v1.mjs', ['http']],
  ['2026-07-28', 'sdk-v2.mjs', ['http', 'latest']],
])('When the Server Asks, with a server of %s', (_, script, args) => {
  const bench = useBench();
  let server: Program;
  let credential: CredentialReference;
  beforeAll(async () => {
    server = await startProgram(programPath(script), args);
    credential = await bench.httpCredential(server.url);
  });
  afterAll(async () => {
    await server.close();
  });

  async function agent(questions: object[], options: object) {
    bench.model.play(steps(call('asking', { questions }), { text: 'Done.' }));
    const { runs, error } = await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential, { options })]));
    expect(error).toBeUndefined();
    const told = bench.model.requests.at(-1)!.json.messages.at(-1)!.content;
    return { told: JSON.stringify(told), hints: JSON.stringify(runs['MCP Verbatim Tool']?.map(({ hints }) => hints)) };
  }

  async function called(questions: object[], options: object) {
    const parameters = {
      operation: 'call',
      tool: { __rl: true, mode: 'id', value: 'asking' },
      argumentsMode: 'json',
      arguments: JSON.stringify({ questions }),
      options,
    };
    const execution = await bench.run(singleNodeWorkflow(verbatim(credential, parameters)));
    expect(execution.error).toBeUndefined();
    return {
      json: execution.output('MCP Verbatim')[0]!.json,
      hints: JSON.stringify(execution.runs['MCP Verbatim']![0]!.hints),
    };
  }

  test('declines by default, and the model reads what was asked, with the page', async () => {
    const { told, hints } = await agent([form, page], {});
    expect(told).toContain('decline');
    expect(told).toContain('Which branch?');
    expect(told).toContain('https://a.example/connect');
    expect(hints).toContain('The server asked during');
    expect(hints).toContain('declined');
  });

  test('answers with the defaults', async () => {
    const { told, hints } = await agent([form], { whenAsked: 'defaults' });
    expect(told.replaceAll('\\', '')).toContain('"q0":{"action":"accept","content":{"branch":"main"}}');
    expect(hints).toContain('answered');
  });

  test('answers by the names of the fields, expressions included', async () => {
    const options = { whenAsked: 'fixed', answers: '={{ ({ branch: "release-" + (1 + 1), other: 1 }) }}' };
    const { told } = await agent([form], options);
    expect(told.replaceAll('\\', '')).toContain('"content":{"branch":"release-2"}');
  });

  test('does the same in a call without an agent', async () => {
    const declined = await called([form, page], {});
    expect(JSON.stringify(declined.json)).toContain('https://a.example/connect');
    expect(declined.hints).toContain('Which branch?');
    const fixed = await called([form], { whenAsked: 'fixed', answers: '{"force":true}' });
    expect(fixed.json).toMatchObject({ q0: { action: 'accept', content: { branch: 'main', force: true } } });
    expect(fixed.json).not.toHaveProperty('serverAsked');
  });
});
