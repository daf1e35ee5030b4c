import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeFor } from '../../../bench/peer.js';
import { fetchedPackages } from '../../../test-support/packages.js';
import { until } from '../../../test-support/waiting.js';
import type { JsonObject } from '../../../src/json/index.js';
import { startRunner } from '../../docs/runner.js';
import { startServer, type TestServer } from '../../langchain/server.js';
import { findPersons, received, sent, tool } from '../../langchain/tools.js';
import { judged } from '../../../test-support/model/provider-judges.js';
import { type Endpoint, startEndpoint } from './endpoint.js';

export const root = new URL('../../../', import.meta.url).pathname;

export const newest = 'test/frameworks/newest';
export const node20 = 'test/frameworks/node-20';

export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const words = (text: string) => ({ content: [{ type: 'text', text }] });

/** `patternProperties` in another order, numbers as names, an unknown keyword. */
export const oddSchema = {
  additionalProperties: false,
  'x-unknown': { deep: [1, null] },
  properties: { b: { enum: ['x', 1, null] }, a: { type: ['string', 'null'], default: null }, '10': {}, '9': {} },
  type: 'object',
  patternProperties: { '^x-': { type: 'string' } },
};

/** Every provider takes it. */
export const plainSchema = {
  type: 'object',
  required: ['b'],
  properties: { b: { type: 'string', minLength: 1 }, a: { type: 'integer', minimum: 1, default: 2 } },
};

/** One framework's program, with a folder of packages, a server and a model's endpoint. */
export interface Program {
  /** Skipped without its packages. */
  readonly runTest: ReturnType<typeof test.skipIf>;
  server: TestServer;
  endpoint: Endpoint;
  /** Runs it; @returns the last line that it prints, as JSON. */
  run(...args: string[]): Promise<Record<string, unknown>>;
  /**
   * Runs it with a model that makes a malformed call, a wrong one, one that fails in the tool and one for an image, and
   * checks the behaviour that all frameworks share.
   *
   * @returns the program's output, the model's requests, and the schemas in them
   */
  runEveryCall(...args: string[]): Promise<{ outcome: object; bodies: string[]; schemas: Record<string, string> }>;
  /**
   * Does the same with Gemini, and checks that Gemini accepts the schemas and sees the image.
   *
   * @returns the schemas
   */
  runOverGemini(scenario: string): Promise<Record<string, string>>;
  /**
   * Runs it with a call that it aborts, and checks that the server learns of the abort.
   *
   * @returns the program's output
   */
  runAborted(...args: string[]): Promise<object>;
  /** Runs it with a person who approves the call, and checks that the call is made. */
  runApproved(...args: string[]): Promise<void>;
  /** Runs it with a person who declines the call, and checks that it is not made, and that the model reads why. */
  runDeclined(...args: string[]): Promise<void>;
}

/** A call of a model. */
export const call = (name: string, args: unknown) => ({
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});

/** `compiled.test.ts` compiles it in strict mode. */
export function programFor(framework: string, folder: string): Program {
  const at = fetchedPackages(folder);
  const source = readFileSync(join(root, `test/frameworks/programs/${framework}.mts`), 'utf8');
  const project = join(at ?? '', 'node_modules', `.program-${framework}`);
  let aborted = 0;
  let runs = 0;
  let runner: ReturnType<typeof startRunner> | undefined;
  const program: Program = {
    runTest: test.skipIf(at === undefined),
    server: undefined as never, // before all tests
    endpoint: undefined as never,
    async run(...args) {
      program.server.calls.length = 0;
      program.endpoint.bodies.length = 0;
      runner ??= startRunner(at!, { node: nodeFor(at!) });
      const file = join(project, `run-${++runs}.mjs`);
      writeFileSync(file, (await transform(source, { loader: 'ts', target: 'node20' })).code);
      const printed = await runner.printed(file, [program.server.url, program.endpoint.url, ...args]);
      return JSON.parse(printed.split('\n').at(-1)!) as Record<string, unknown>; // the program prints this shape
    },
    async runEveryCall(...args) {
      program.endpoint.replies = [
        call('find_relatives', sent),
        call('find_relatives', { limit: 'many', password: 'hunter2-hunter2' }),
        call('fail', {}),
        call('screenshot', {}),
      ];
      const outcome = await program.run(...args);
      const { bodies } = program.endpoint;
      expect(outcome).toMatchObject({ text: 'found' });
      expect(program.server.calls.slice(0, 2)).toEqual([
        { name: 'find_relatives', arguments: received },
        { name: 'fail', arguments: {} },
      ]);
      expect(bodies[2]).toContain('The tool was not called.');
      expect(bodies[3]).toContain('No such page.');
      return { outcome, bodies, schemas: toolsIn(bodies[0]!) };
    },
    async runOverGemini(scenario) {
      const { bodies, schemas } = await program.runEveryCall('google', scenario);
      for (const name of ['find_relatives', 'odd'])
        expect(judged(JSON.parse(schemas[name]!) as JsonObject, 'google'), schemas[name]).toEqual([]);
      const { properties } = JSON.parse(schemas['find_relatives']!) as JsonObject;
      expect(Object.keys(properties as JsonObject)).toEqual(Object.keys(findPersons.inputSchema.properties));
      expect(bodies[4]).toContain(png);
      return schemas;
    },
    async runAborted(...args) {
      aborted = 0;
      program.endpoint.replies = [call('wait', {})];
      const outcome = await program.run(...args);
      await until(() => aborted === 1);
      expect(program.server.calls).toHaveLength(1);
      return outcome;
    },
    async runApproved(...args) {
      program.endpoint.replies = [call('find_relatives', sent)];
      expect(await program.run(...args)).toMatchObject({ asked: true, text: 'found' });
      expect(program.server.calls).toEqual([{ name: 'find_relatives', arguments: received }]);
    },
    async runDeclined(...args) {
      program.endpoint.replies = [call('find_relatives', sent)];
      expect(await program.run(...args)).toMatchObject({ asked: true, text: 'found' });
      expect(program.server.calls).toEqual([]);
      expect(program.endpoint.bodies[1]).toContain('not approved');
    },
  };
  beforeAll(async () => {
    program.server = await startServer([
      { definition: findPersons },
      tool('odd', { inputSchema: oddSchema }),
      tool('plain', { inputSchema: plainSchema }),
      tool('screenshot', {}, () => ({ content: [{ type: 'image', mimeType: 'image/png', data: png }] })),
      tool('fail', {}, () => ({ ...words('No such page.'), isError: true })),
      tool('wait', {}, (_args, { signal, progress }) => {
        void progress({ progress: 1 });
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted++;
            resolve(words('aborted'));
          });
        });
      }),
    ]);
    program.endpoint = await startEndpoint();
    if (at !== undefined) mkdirSync(project, { recursive: true });
  });
  afterAll(async () => {
    runner?.kill();
    await program.server.close();
    await program.endpoint[Symbol.asyncDispose]();
  });
  return program;
}

/** The names of a request's tools, and the exact text of their schemas. */
export function toolsIn(body: string): Record<string, string> {
  const { tools } = JSON.parse(body) as { tools: Record<string, unknown>[] }; // every API has a list
  const all = tools.flatMap((each) => (each['functionDeclarations'] ?? each) as Record<string, unknown>[]); // Gemini
  const entries = all.map((each): [string, string] => {
    const own = (each['function'] ?? each) as Record<string, unknown>; // an object in every API
    return [
      own['name'] as string,
      JSON.stringify(own['parameters'] ?? own['parametersJsonSchema'] ?? own['input_schema']),
    ];
  });
  return Object.fromEntries(entries);
}
