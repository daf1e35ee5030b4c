import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeFor } from '../../bench/peer.js';
import { fetchedPackages } from '../../test-support/packages.js';
import { startModel } from '../../test-support/model/model.js';
import type { ScriptedModel } from '../../test-support/model/model.js';
import { call, steps } from '../../test-support/model/script.js';
import { startServer } from '../langchain/server.js';
import type { TestServer } from '../langchain/server.js';
import { findPersons, received, sent } from '../langchain/tools.js';

const folder = fetchedPackages('bench/peers');
const run = promisify(execFile);
const packages = new URL('../../node_modules/', import.meta.url);
const loader = new URL('tsx/dist/loader.mjs', packages).href;

test.each(['ai-sdk', 'openai-agents', 'mastra'])('docs/frameworks.md shows the example %s as it is run', (example) => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(read('docs/frameworks.md')).toContain(read(`bench/peers/examples/${example}.ts`).trim());
});

/** The examples of docs/frameworks.md, run as they stand there; see claims.test.ts for why not everywhere. */
describe.skipIf(folder === undefined)('the examples of docs/frameworks.md (peers: npm run fetch:packages)', () => {
  let server: TestServer;
  let model: ScriptedModel;

  beforeAll(async () => {
    server = await startServer([{ definition: findPersons }]);
    model = await startModel(
      steps(call('fg_findPersons', { limit: 'abc' }), call('fg_findPersons', sent), { text: 'found' }),
    );
  });
  afterAll(async () => {
    await model.stop();
    await server.close();
  });

  test.each([
    ['NodeNext', ['--module', 'nodenext']],
    ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])('compile in strict mode under %s resolution', async (_resolution, options) => {
    const compiler = fileURLToPath(new URL('typescript/bin/tsc', packages));
    await expect(run(process.execPath, [compiler, '-p', folder!, ...options])).resolves.toMatchObject({ stdout: '' });
  });

  test.each([
    ['ai-sdk', verbatim],
    ['openai-agents', verbatim],
    ['mastra', rewritten],
  ])('%s: a wrong call is corrected, a slip is repaired', check);

  async function check(example: string, expectation: (told: unknown) => void): Promise<void> {
    model.requests.length = 0;
    server.calls.length = 0;
    const { stdout } = await run(
      nodeFor(folder!),
      ['--import', loader, join(folder!, 'examples', `${example}.ts`), server.url, model.url],
      { cwd: folder! },
    );
    expect(stdout.trim()).toBe('found');
    expect(server.calls).toEqual([{ name: 'fg_findPersons', arguments: received }]);
    expect(JSON.stringify(model.requests[1]?.json.messages.at(-1))).toContain('/limit');
    expectation(model.requests[0]?.json.tools?.[0]?.function.parameters);
  }
});

function verbatim(told: unknown): void {
  expect(JSON.stringify(told)).toBe(JSON.stringify(findPersons.inputSchema));
}

/** Mastra rewrites every schema for the model; what it may not change is what the tool accepts. */
function rewritten(told: unknown): void {
  expect(told).toMatchObject({ type: 'object' });
}
