import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startModel } from '../../test-support/model/model.js';
import { call, steps } from '../../test-support/model/script.js';
import { fetchedPackages } from '../../test-support/packages.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { programPath, startProgram } from '../../test-support/servers/program.js';
import { blocksIn } from '../docs/pages.js';
import { startRunner } from '../docs/runner.js';
import { published } from '../../test-support/servers/published.js';

const host = fetchedPackages('test/langchain/hosts/newest');
const example = blocksIn('docs/langchain.md').find(({ code }) => code.includes('elicit: { interrupt, task }'))!.code;

const form = (message: string) => ({
  message,
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
});
const questions = [form('Who are you?'), form('And your friend?')];
const question = (message: string) => ({
  type: 'elicitation',
  server: 'sdk',
  tool: 'asking',
  mode: 'form',
  message,
  schema: form('').requestedSchema,
});

/** Passes requests on to a server; `calls` are the params of every call. */
async function startCounter(to: string) {
  const counter = await startHttpServer(({ verb, headers, text, response }) => {
    // One connection per request: `Connection: close` is passed on with the other headers, so a reused connection would be
    // refused.
    const onward = request(to, { method: verb, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(text);
  });
  const calls = () => counter.seen.filter(({ message }) => message.method === 'tools/call');
  return { ...counter, calls: () => calls().map(({ message: { params = {} } }) => params) };
}

/** A checkpointer that keeps everything in a file, so that another process finds it. */
const fileSaver = (file: string) => `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
const file = ${JSON.stringify(file)};
class FileSaver extends MemorySaver {
  constructor() {
    super();
    if (existsSync(file)) Object.assign(this, deserialize(readFileSync(file)));
  }
  #save() {
    writeFileSync(file, serialize({ storage: this.storage, writes: this.writes }));
  }
  async put(...args) { const result = await super.put(...args); this.#save(); return result; }
  async putWrites(...args) { await super.putWrites(...args); this.#save(); }
}`;

const [pausing, resuming] = example.split('// Later') as [string, string];
/** Runs the example in a process that dies while the run is paused, and continues it in another one. */
const begun = pausing.replace('await using', 'const');
const resumed = `${pausing.slice(0, pausing.indexOf('const paused'))}// Later${resuming}`;

describe.skipIf(host === undefined)(
  'a server that asks in the middle of a call (packages: npm run fetch:packages)',
  () => {
    const folder = join(host ?? '', 'node_modules', '.examples', 'questions');
    let dying: ReturnType<typeof startRunner>;
    let living: ReturnType<typeof startRunner>;
    const ends: (() => unknown)[] = [];

    beforeAll(() => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      dying = startRunner(host!);
      living = startRunner(host!);
      ends.push(dying.kill, living.kill);
    });
    afterAll(async () => {
      for (const end of ends) await end();
    });

    /** Starts this server and a model that calls its tool and repeats the result; programs run against both. */
    async function scene(name: string, server: object, args: object = {}, tool = 'asking') {
      const model = await startModel(
        steps(call(tool, args as Record<string, unknown>), ({ messages }) => ({
          text: `The tool said ${String(messages.at(-1)?.content)}`,
        })),
      );
      ends.push(() => model.stop());
      const fields = {
        model: 'gpt-4.1',
        apiKey: 'none',
        useResponsesApi: false,
        configuration: { baseURL: model.url },
      };
      let programs = 0;
      return async (source: string, { isSaved = false, runner = living } = {}): Promise<string> => {
        const at = source.search(/await using|const tools/);
        const saver = isSaved ? fileSaver(join(folder, `${name}.checkpoints`)) : '';
        const program =
          `import { ChatOpenAI } from '@langchain/openai';\n${source.slice(0, at)}${saver}\n${source.slice(at)}`
            .replace(`{ url: 'https://example.com/mcp' }`, JSON.stringify(server))
            .replace(`'openai:gpt-4.1'`, `new ChatOpenAI(${JSON.stringify(fields)})`)
            .replace('new MemorySaver()', isSaved ? 'new FileSaver()' : 'new MemorySaver()');
        const file = join(folder, `${name}-${++programs}.mjs`);
        writeFileSync(file, (await transform(program, { loader: 'ts', target: 'node20' })).code);
        return await runner.printed(file);
      };
    }

    async function counted(script: string, args: string[]) {
      const server = await startProgram(programPath(script), args);
      const counter = await startCounter(server.url);
      ends.push(counter.close, server.close);
      return { server, counter };
    }

    describe.each([
      ['2026-07-28', 'sdk-v2.mjs', ['http', 'latest']],
      ['2025-11-25', 'sdk-v1.mjs', ['http']],
    ])('of revision %s', (revision, script, args) => {
      let counter: Awaited<ReturnType<typeof startCounter>>;
      let printed: Awaited<ReturnType<typeof scene>>;
      beforeAll(async () => {
        ({ counter } = await counted(script, args));
        printed = await scene(revision, { url: counter.url }, { questions, separately: true });
      });
      beforeEach(() => {
        counter.seen.length = 0;
      });

      test('A question pauses the run, as the example of docs/langchain.md shows, and so does the next one', async () => {
        const decline = `
        const { __interrupt__: again, messages: last } = await agent.invoke(new Command({ resume: { action: 'decline' } }), thread);
        console.log(JSON.stringify(again), last.at(-1)?.text);`;
        const [first, ...rest] = (await printed(`${example}${decline}`)).split('\n');
        expect(JSON.parse(first!)).toEqual([question('Who are you?')]);
        const answers = '{"q0":{"action":"accept","content":{"name":"Ada"}},"q1":{"action":"decline"}}';
        expect(rest.join('\n')).toContain(`The tool said ${answers}`);
        expect(rest.join('\n')).toContain('The server asked "And your friend?". The question was declined.');
        // Each resume continues the call: with a round for each answer, or as the one call that waits.
        expect(counter.calls().map(({ inputResponses = {} }) => Object.keys(inputResponses as object))).toEqual(
          revision === '2026-07-28' ? [[], ['q0'], ['q1']] : [[]],
        );
      });

      test('A question is asked again if the content does not fit', async () => {
        const misfit = `${pausing}
        const resume = { action: 'accept', content: { name: 1 } };
        const { __interrupt__: again } = await agent.invoke(new Command({ resume }), thread);
        console.log(JSON.stringify(again.map(({ value }) => value)));`;
        const [, again] = (await printed(misfit)).split('\n');
        expect(JSON.parse(again!)).toEqual([
          { ...question('Who are you?'), problems: [expect.stringContaining('name') as string] },
        ]);
      });

      test(
        revision === '2026-07-28'
          ? 'A question is answered from another process, by its state'
          : 'A question cannot be answered from another process, and says so',
        async () => {
          await printed(begun, { isSaved: true, runner: dying });
          const content = resumed.replace('messages.at(-1)?.text', 'JSON.stringify(messages?.at(-1)?.content)');
          const second = await printed(content, { isSaved: true });
          if (revision !== '2026-07-28') expect(second).toContain('cannot be answered any more');
          else {
            expect(await printed(resumed.replace(`name: 'Ada'`, `name: 'Grace'`), { isSaved: true })).toContain(
              '{"q0":{"action":"accept","content":{"name":"Ada"}},"q1":{"action":"accept","content":{"name":"Grace"}}}',
            );
            expect(counter.calls()).toHaveLength(3);
          }
        },
      );
    });

    // Before 2026-07-28 the call's session has to stay open, as for a call without a task.
    test.each([
      ['2026-07-28', 'tasks-v2.mjs', true],
      ['2025-11-25', 'tasks-v1.mjs', false],
    ])(
      'A task of %s is paused if its server asks, and ends in another process if it can',
      async (revision, script, isAnywhere) => {
        const { server, counter } = await counted(script, ['http']);
        const printed = await scene(`task-${revision}`, { url: counter.url });
        const paused = isAnywhere ? await printed(begun, { isSaved: true, runner: dying }) : '';
        const ended = await printed(isAnywhere ? resumed : example, { isSaved: isAnywhere });
        const [question = '', ...said] = `${paused}\n${ended}`.trim().split('\n');
        expect(JSON.parse(question)).toMatchObject([{ type: 'elicitation', tool: 'asking', message: 'Who are you?' }]);
        expect(said.join('\n')).toContain('The tool said {"action":"accept","content":{"name":"Ada"}}');
        expect(counter.calls()).toHaveLength(1);
        expect(server.printed.filter((line) => line.startsWith('tasks/cancel'))).toEqual([]);
      },
    );

    test('The everything server asks during a run of createAgent, and gets the answer', async () => {
      const address = published('server-everything');
      const printed = await scene('everything', address, {}, 'trigger-elicitation-request');
      const [question = '', ...said] = (await printed(example)).split('\n');
      expect(JSON.parse(question)).toMatchObject([
        { type: 'elicitation', tool: 'trigger-elicitation-request', mode: 'form', schema: { required: ['name'] } },
      ]);
      expect(said.join('\n')).toMatch(/The tool said .*Ada/s);
    });
  },
);
