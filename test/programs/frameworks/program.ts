import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { nodeFor } from '../../../bench/peer.js';
import { fetchedPackages } from '../../../test-support/packages.js';
import { runTypescript } from '../../../test-support/run-typescript.js';
import { compile } from '../../docs/compile.js';
import { startServer, type TestServer } from '../../langchain/server.js';
import { findPersons, tool } from '../../langchain/tools.js';
import { type Endpoint, startEndpoint } from './endpoint.js';

const root = new URL('../../../', import.meta.url).pathname;

export const newest = 'test/frameworks/newest';
export const node20 = 'test/frameworks/node-20';

export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const words = (text: string) => ({ content: [{ type: 'text', text }] });

/** `patternProperties` in another order, numbers as names, a keyword that nobody knows. */
export const oddSchema = {
  additionalProperties: false,
  'x-unknown': { deep: [1, null] },
  properties: { b: { enum: ['x', 1, null] }, a: { type: ['string', 'null'], default: null }, '10': {}, '9': {} },
  type: 'object',
  patternProperties: { '^x-': { type: 'string' } },
};

/** One framework's program beside the packages of a folder, a server and a model's endpoint. */
export interface Program {
  readonly isThere: boolean;
  server: TestServer;
  endpoint: Endpoint;
  /** What came of calls that were aborted. */
  aborted: string[];
  /** Runs it; @returns the last line that it prints, as JSON. */
  run(...args: string[]): Promise<Record<string, unknown>>;
  /** Compiles it in strict mode; @returns what the compiler has to say. */
  compile(): Promise<string>;
}

export function programFor(framework: string, folder: string): Program {
  const at = fetchedPackages(folder);
  const source = readFileSync(join(root, `test/frameworks/programs/${framework}.mts`), 'utf8');
  const project = join(at ?? '', 'node_modules', `.program-${framework}`);
  const program: Program = {
    isThere: at !== undefined,
    server: undefined as never, // before all tests
    endpoint: undefined as never,
    aborted: [],
    async run(...args) {
      program.server.calls.length = 0;
      program.endpoint.bodies.length = 0;
      const options = { args: [program.server.url, program.endpoint.url, ...args], cwd: at!, node: nodeFor(at!) };
      const { stdout } = await runTypescript(join(project, `${args.join('-')}.mjs`), source, options);
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>; // as the program prints it
    },
    compile: () => compile(project),
  };
  beforeAll(async () => {
    program.server = await startServer([
      { definition: findPersons },
      tool('odd', { inputSchema: oddSchema }),
      tool('screenshot', {}, () => ({ content: [{ type: 'image', mimeType: 'image/png', data: png }] })),
      tool('fail', {}, () => ({ ...words('No such page.'), isError: true })),
      tool('wait', {}, (_args, { signal, progress }) => {
        void progress({ progress: 1 });
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            program.aborted.push('wait');
            resolve(words('aborted'));
          });
        });
      }),
    ]);
    program.endpoint = await startEndpoint();
    if (at === undefined) return;
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, 'program.mts'), source);
    cpSync(join(root, folder, 'tsconfig.json'), join(project, 'tsconfig.json'));
    const configuration = readFileSync(join(project, 'tsconfig.json'), 'utf8');
    const moved = configuration.replaceAll('"../', '"../../../').replace('examples/*.ts', '*.mts');
    writeFileSync(join(project, 'tsconfig.json'), moved);
  });
  afterAll(async () => {
    await program.server.close();
    await program.endpoint[Symbol.asyncDispose]();
  });
  return program;
}

/** The tools of a request, as they stand in its text: names, and the text of each schema. */
export function toolsIn(body: string): Record<string, string> {
  const { tools } = JSON.parse(body) as { tools: Record<string, unknown>[] }; // every API has a list
  const entries = tools.map((each): [string, string] => {
    const own = (each['function'] ?? each) as Record<string, unknown>; // an object in every API
    return [own['name'] as string, JSON.stringify(own['parameters'] ?? own['input_schema'])];
  });
  return Object.fromEntries(entries);
}
