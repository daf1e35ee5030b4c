import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeFor, peerNames } from '../../bench/peer.js';
import { fetchedPackages } from '../../test-support/packages.js';
import { runTypescript } from '../../test-support/run-typescript.js';
import { startModel, type ChatRequest, type ScriptedModel } from '../../test-support/model/model.js';
import { call } from '../../test-support/model/script.js';
import { startServer, type TestServer } from '../langchain/server.js';
import { findPersons, received, sent } from '../langchain/tools.js';

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const newest = 'bench/peers';
const node20 = 'test/frameworks/node-20';

/** The programs of docs/frameworks.md. */
const examples: [source: string, expectation: (sent: unknown) => void][] = [
  ['bench/peers/examples/ai-sdk.ts', verbatim],
  ['bench/peers/examples/openai-agents.ts', verbatim],
  ['bench/peers/examples/mastra.ts', rewritten],
];

test.each(examples)('docs/frameworks.md shows %s as it is run', (source) => {
  expect(text('docs/frameworks.md')).toContain(text(source).trim());
});

test.each([newest, node20])('docs/frameworks.md says how the packages of %s are installed', (folder) => {
  const { dependencies } = JSON.parse(text(`${folder}/package.json`)) as { dependencies: Record<string, string> };
  for (const name of ['ai', '@ai-sdk/openai-compatible', '@mastra/core', '@openai/agents']) {
    const [major, minor] = dependencies[name]!.split('.');
    expect(text('docs/frameworks.md')).toContain(`${name}@${major === '0' ? `0.${minor}` : major}`);
  }
});

test('docs/frameworks.md says of each client what `npm run bench:observe` printed, with the versions of the peers', () => {
  const { dependencies } = JSON.parse(text('bench/peers/package.json')) as { dependencies: Record<string, string> };
  const printed = text('docs/benchmarks/fidelity.md');
  const rows = [...text('docs/frameworks.md').matchAll(/^\| `(.+?)` (\d\S+) \| (.+?) \|.*\| (.+?) \|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual([...peerNames.slice(1), '@google/adk']);
  for (const [, name = '', version = '', identical = '', slip = ''] of rows) {
    expect(version).toBe(dependencies[name]);
    expect(printed.split('\n').find((line) => line.startsWith(`| ${name} ${version} | ${identical} |`))).toContain(
      `| ${slip} |`,
    );
  }
});

/** Runs the examples of docs/frameworks.md as they are written; claims.test.ts says why not everywhere. */
describe.each([newest, node20])('the examples of docs/frameworks.md, beside %s (npm run fetch:packages)', (at) => {
  const folder = fetchedPackages(at);
  let server: TestServer;
  let model: ScriptedModel;

  beforeAll(async () => {
    server = await startServer([{ definition: findPersons }]);
    const replies = [call('find_relatives', { limit: 'abc' }), call('find_relatives', sent)];
    // Mastra 0.24 joins all answers of the model in one message, so the tool's calls are counted.
    const answers = ({ messages }: ChatRequest) => messages.filter(({ role }) => role === 'tool').length;
    model = await startModel((request) => replies[answers(request)]?.(request) ?? { text: 'found' });
    if (folder !== undefined) mkdirSync(join(folder, 'node_modules', '.examples'), { recursive: true });
  });
  afterAll(async () => {
    await model.stop();
    await server.close();
  });

  test.skipIf(folder === undefined).each(examples)(
    'The example %s corrects a wrong call, and repairs a malformed argument',
    async (source, expectation) => {
      model.requests.length = 0;
      server.calls.length = 0;
      const program = join(folder!, 'node_modules', '.examples', `${basename(source, '.ts')}.mjs`);
      const { stdout } = await runTypescript(program, text(source), {
        args: [server.url, model.url],
        cwd: folder!,
        node: nodeFor(folder!),
      });
      expect(stdout.trim()).toBe('found');
      expect(server.calls).toEqual([{ name: 'find_relatives', arguments: received }]);
      expect(JSON.stringify(model.requests[1]?.json.messages.at(-1))).toContain('/limit');
      expectation(model.requests[0]?.json.tools?.[0]?.function.parameters);
    },
  );
});

function verbatim(told: unknown): void {
  expect(JSON.stringify(told)).toBe(JSON.stringify(findPersons.inputSchema));
}

/** Mastra rewrites every schema for the model, but must not change which arguments the tool accepts. */
function rewritten(told: unknown): void {
  expect(told).toMatchObject({ type: 'object' });
}
