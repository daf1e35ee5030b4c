import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, say, steps } from '../../../test-support/model/script.js';
import type { Workflow } from '../../../test-support/n8n/api.js';
import { importedWorkflow } from '../../../test-support/n8n/import-workflows.js';
import { startMessenger } from '../../../test-support/servers/messenger.js';
import { published } from '../../../test-support/servers/published.js';
import { useBench } from './harness.js';
import { decide, patience } from './places/sessions/scenes.js';

const folder = fileURLToPath(new URL('../../../docs/workflows', import.meta.url));
const ada = { entities: [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }] };

/** The workflows of the documentation, with the published servers that they name and a scripted model. */
describe('the workflows to import, in a real n8n', () => {
  const bench = useBench();
  let memory: string;
  let credentials: Map<string, { id: string; name: string }>;

  beforeAll(async () => {
    credentials = new Map([['OpenAi account', bench.modelNode.credentials!['openAiApi']!]]);
    for (const [name, server] of Object.entries(servers)) {
      credentials.set(name, await stdioCredential(name, server));
    }
  });
  beforeEach(async () => {
    memory = await mkdtemp(join(tmpdir(), 'mcp-verbatim-memory-'));
    const environment = { MEMORY_FILE_PATH: join(memory, 'memory.jsonl') };
    credentials.set('Memory server', await stdioCredential('Memory server', 'server-memory', environment));
    return () => rm(memory, { recursive: true, force: true });
  });

  async function stdioCredential(name: string, server: string, environment: Record<string, string> = {}) {
    const { command, args } = published(server);
    const [created] = Object.values(await bench.stdioCredential(command, args, environment));
    if (created === undefined) throw new Error(`There is no credential for ${name}.`);
    return created;
  }

  async function imported(file: string): Promise<Workflow> {
    return importedWorkflow(await readFile(join(folder, `${file}.json`), 'utf8'), credentials);
  }

  const remembered = async () => await readFile(join(memory, 'memory.jsonl'), 'utf8').catch(() => '');

  test('The workflows hold no secret and no local path, and their notes say how to make the credentials', async () => {
    for (const file of await readdir(folder)) {
      if (!file.endsWith('.json')) continue;
      const text = await readFile(join(folder, file), 'utf8');
      expect(text).not.toMatch(/127\.0\.0\.1|localhost|\/home\/|\/tmp\/|[A-Z]:\\\\|sk-|apiKey|token"/);
      const { nodes } = JSON.parse(text) as Workflow; // our own file
      const about = nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote')?.parameters['content'];
      const named = nodes.flatMap((node) => Object.values(node.credentials ?? {}).map(({ name }) => `*${name}*`));
      for (const name of named) expect(about).toContain(name);
    }
  });

  test('The workflow of an agent with one server runs', async () => {
    bench.model.play(steps(call('get-sum', { a: '20', b: 22 }), say('42')));
    const execution = await bench.run(await imported('agent-with-one-server'));
    expect(execution.error).toBeUndefined();
    expect(bench.answers()).toEqual([expect.stringContaining('42')]);
  });

  test('The workflow of an agent with three servers, whose tools it searches, runs', async () => {
    bench.model.play(
      steps(
        call('memory_search_tools', { query: 'create entities' }),
        call('memory_call_tool', { name: 'create_entities', arguments: ada }),
        say('I have remembered it.'),
      ),
    );
    const execution = await bench.run(await imported('agent-with-three-servers'));
    expect(execution.error).toBeUndefined();
    const shown = bench.model.requests[0]?.json.tools?.map((tool) => tool.function.name);
    const three = ['search_tools', 'describe_tools', 'call_tool'];
    const prefixed = ['everything', 'memory', 'thinking'].flatMap((prefix) => three.map((name) => `${prefix}_${name}`));
    expect([...(shown ?? [])].sort()).toEqual([...prefixed].sort());
    expect(await remembered()).toContain('likes tea');
  });

  test('The workflow of a tool that only reads runs in a loop that goes on after errors', async () => {
    const execution = await bench.run(await imported('call-in-a-loop'));
    expect(execution.error).toBeUndefined();
    const outcomes = execution.output('Loop Over Items', 0).map(({ json }) => [json['query'], json['outcome']]);
    const refused = 'The arguments do not fit the input schema of "search_nodes"';
    expect(outcomes).toEqual([
      ['Ada', 'worked'],
      ['tea', 'worked'],
      [null, refused],
    ]);
    expect(await remembered()).toBe('');
  });

  test('The workflow of approvals has a person allow the call that changes something', async () => {
    await using messenger = await startMessenger();
    const telegram = { accessToken: 'none', baseUrl: messenger.origin };
    credentials.set('Telegram account', await bench.api.createCredential('Messenger', 'telegramApi', telegram));
    const workflow = await imported('review-changes');
    const review = workflow.nodes.find(({ name }) => name === 'Review');
    review!.parameters['chatId'] = '1';
    bench.model.play(
      steps(
        call('read_graph', {}),
        call('create_entities', { toolParameters: ada, hitlParameters: {} }),
        say('It is remembered.'),
      ),
    );
    const executionId = await bench.begin(await bench.api.createWorkflow(workflow));
    const { text } = await messenger.question();
    expect(text).toContain('May create_entities be called with');
    expect(text).toContain('likes tea');
    await expect.poll(() => bench.api.status(executionId), patience).toBe('waiting');
    expect(await remembered()).not.toContain('likes tea');
    await decide(messenger, 'Approve');
    expect((await bench.api.finished(executionId)).status).toBe('success');
    expect(await remembered()).toContain('likes tea');
  });

  test("The workflow of resources has those of a server in an agent's context", async () => {
    bench.model.play(say('It shows every feature of MCP.'));
    const execution = await bench.run(await imported('resources-for-an-agent'));
    expect(execution.error).toBeUndefined();
    const texts = execution.output('Read a resource').map(({ json }) => String(json['text']));
    expect(texts).toHaveLength(2);
    const [system] = bench.model.requests[0]?.json.messages ?? [];
    for (const text of texts) expect(String(system?.content)).toContain(text.trim());
  });
});

const servers = { 'Everything server': 'server-everything', 'Thinking server': 'server-sequential-thinking' };
