import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { N8nApi } from '../../../../test-support/n8n/api.js';
import { installCommunityPackage } from '../../../../test-support/n8n/community-package.js';
import { installHost } from '../../../../test-support/n8n/install.js';
import { startN8n, type RunningN8n } from '../../../../test-support/n8n/start.js';
import { createUserFolder, owner } from '../../../../test-support/n8n/user-folder.js';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { expectCall } from '../places/agent-run.js';
import { expectSchemas } from '../places/matrix.js';
import { setStage, type Stage } from '../places/stage.js';
import { richTools } from '../places/tool-server.js';
import { trickyTools } from '../places/tricky-tools.js';

/** But for the one that OpenAI refuses, of which its models are told another form. */
const tools = [...richTools, ...trickyTools.filter(({ name }) => name !== 'alternatives')];

/** The day that n8n moves to Zod 4: today's n8n, whose AI nodes find Zod 4 where they look for Zod. */
describe('an n8n whose Zod is 4', () => {
  let userFolder: string;
  let n8n: RunningN8n;
  let stage: Stage;

  beforeAll(async () => {
    const host = await installHost();
    userFolder = await createUserFolder(host);
    await installCommunityPackage(userFolder, inject('tarball'));
    const ZOD4 = createRequire(import.meta.url).resolve('zod4');
    const NODE_OPTIONS = `--import=${join(import.meta.dirname, 'preload.mjs')}`;
    n8n = await startN8n(host, { userFolder, env: { ZOD4, NODE_OPTIONS } });
    stage = await setStage(tools, await N8nApi.login(n8n.url, owner));
  });
  beforeEach(() => stage.reset());
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
    await n8n.stop();
    await rm(userFolder, { recursive: true, force: true });
  });

  test.for([1.7, 2.2, 3, 3.1])('AI Agent %d: schemas as they are, a call repaired', async (version) => {
    const parameters = {
      promptType: 'define',
      text: 'Go.',
      options: {},
      ...(version < 2 ? { agent: 'toolsAgent' } : {}),
    };
    const tool = verbatimTool(stage.credential);
    const workflow = agentWorkflow(stage.chatModel, [tool], { agent: { typeVersion: version, parameters } });
    const execution = await stage.bench.run(workflow);
    expectSchemas(stage.endpoint.offers(), tools);
    expectCall(execution, stage.server, stage.endpoint.results());
    expect(execution.output('AI Agent')[0]?.json['output']).toBe('Done.');
  });

  test('is one, for its own nodes as well as for MCP Verbatim Tool, which asks in their name', () => {
    const log = readFileSync(n8n.logFile, 'utf8');
    expect(log).toContain('Zod 4 for package.json\n');
    expect(log).toMatch(/^Zod 4 for dist.*\.js$/m);
  });
});
