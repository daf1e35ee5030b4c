import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { startOwnN8n, used } from '../harness.js';
import { expectCall } from '../places/agent-run.js';
import { expectSchemas } from '../places/expected-schemas.js';
import { setStage } from '../places/stage.js';
import { richTools } from '../places/tool-server.js';
import { trickyTools } from '../places/tricky-tools.js';

/** All tools except the one that OpenAI rejects, which is adapted. */
const tools = [...richTools, ...trickyTools.filter(({ name }) => name !== 'alternatives')];

/** Simulates n8n's future move to Zod 4: today's n8n, whose AI nodes find Zod 4 in place of Zod 3. */
describe('an n8n whose Zod is 4', () => {
  const ZOD4 = createRequire(import.meta.url).resolve('zod4');
  const NODE_OPTIONS = `--import=${join(import.meta.dirname, 'preload.mjs')}`;
  const host = used(() => startOwnN8n({ ZOD4, NODE_OPTIONS }));
  const stage = used(() => setStage(tools, host.api));

  beforeEach(() => stage.reset());

  test.for([1.7, 2.2, 3, 3.1])('AI Agent %d: schemas as they are, a call repaired', async (typeVersion) => {
    const agent = { ...(typeVersion < 2 ? { agent: 'toolsAgent' } : {}), promptType: 'define', text: 'Go.' };
    const parameters = { ...agent, options: {} };
    const tool = verbatimTool(stage.credential);
    const workflow = agentWorkflow(stage.chatModel, [tool], { agent: { typeVersion, parameters } });
    const execution = await stage.bench.run(workflow);
    expectSchemas(stage.endpoint.offers(), tools);
    expectCall(execution, stage.server, stage.endpoint.results());
  });

  test('is one, for its own nodes as well as for MCP Verbatim Tool, which asks in their name', () => {
    const log = readFileSync(host.n8n.logFile, 'utf8');
    expect(log).toContain('Zod 4 for package.json\n');
    expect(log).toMatch(/^Zod 4 for dist.*\.js$/m);
  });
});
