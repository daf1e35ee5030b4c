import { mkdirSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startModel } from '../../test-support/model/model.js';
import type { ScriptedModel } from '../../test-support/model/model.js';
import { call, steps } from '../../test-support/model/script.js';
import { fetchedPackages } from '../../test-support/packages.js';
import { runTypescript } from '../../test-support/run-typescript.js';
import { programPath, startProgram } from '../../test-support/servers/program.js';
import type { Program } from '../../test-support/servers/program.js';
import { blocksIn } from '../docs/pages.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const host = fetchedPackages('test/langchain/hosts/newest');
const example = blocksIn('docs/langchain.md').find(({ code }) => code.includes('elicit: { interrupt, task }'))!.code;

const form = (message: string) => ({
  message,
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
});

/** What goes through it to a server is handed on; kept are the params of every call. */
async function startCounter(to: string): Promise<{ url: string; calls: Record<string, unknown>[]; close(): void }> {
  const calls: Record<string, unknown>[] = [];
  const counter = createServer((request, response) => {
    void text(request).then((body) => {
      const { method, params } = JSON.parse(body || '{}') as { method?: string; params?: Record<string, unknown> };
      if (method === 'tools/call') calls.push(params ?? {});
      // A connection each: `Connection: close` is handed on with the other headers, and what follows it would be refused.
      const onward = forward(to, { method: request.method, headers: request.headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => counter.listen(0, '127.0.0.1', resolve));
  const { port } = counter.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    close: () => {
      counter.close();
      counter.closeAllConnections();
    },
  };
}

/** A checkpointer that keeps everything in a file, so that another process finds it. */
const persistent = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
class FileSaver extends MemorySaver {
  constructor() {
    super();
    if (existsSync(process.env.CHECKPOINTS)) Object.assign(this, deserialize(readFileSync(process.env.CHECKPOINTS)));
  }
  #save() {
    writeFileSync(process.env.CHECKPOINTS, serialize({ storage: this.storage, writes: this.writes }));
  }
  async put(...args) { const result = await super.put(...args); this.#save(); return result; }
  async putWrites(...args) { await super.putWrites(...args); this.#save(); }
}`;

describe.skipIf(host === undefined)(
  'a server that asks in the middle of a call (packages: npm run fetch:packages)',
  () => {
    describe.each([
      ['2026-07-28', 'sdk-v2.mjs', ['http', 'latest']],
      ['2025-11-25', 'sdk-v1.mjs', ['http']],
    ])('of revision %s', (revision, script, args) => {
      const questions = [form('Who are you?'), form('And your friend?')];
      let server: Program;
      let counter: Awaited<ReturnType<typeof startCounter>>;
      let model: ScriptedModel;
      let folder: string;
      beforeAll(async () => {
        server = await startProgram(programPath(script), args);
        counter = await startCounter(server.url);
        model = await startModel(
          steps(call('asking', { questions, separately: true }), ({ messages }) => ({
            text: `The tool said ${String(messages.at(-1)?.content)}`,
          })),
        );
        folder = join(host!, 'node_modules', '.examples', `questions-${revision}`);
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
      });
      beforeEach(() => {
        counter.calls.length = 0;
      });
      afterAll(async () => {
        await model.stop();
        counter.close();
        await server.close();
      });

      /** The lines that a program prints, run beside the packages. */
      async function printed(name: string, source: string): Promise<string[]> {
        const program = source
          .replace('https://example.com/mcp', counter.url)
          .replace(`'openai:gpt-4.1'`, `new ChatOpenAI({ model: 'gpt-4.1', useResponsesApi: false })`);
        const checkpoints = join(folder, 'checkpoints');
        const env = { ...process.env, OPENAI_API_KEY: 'none', OPENAI_BASE_URL: model.url, CHECKPOINTS: checkpoints };
        const whole = `import { ChatOpenAI } from '@langchain/openai';\n${program}`;
        const { stdout } = await runTypescript(join(folder, `${name}.mjs`), whole, { cwd: host!, env });
        return stdout.trim().split('\n');
      }

      const question = (message: string) => ({
        type: 'elicitation',
        server: 'sdk',
        tool: 'asking',
        mode: 'form',
        message,
        schema: form('').requestedSchema,
      });

      test('pauses the run, as the example of docs/langchain.md shows, and pauses it again for the next question', async () => {
        const [first, ...rest] = await printed(
          'same-process',
          `${example}
        const { __interrupt__: again, messages: last } = await agent.invoke(new Command({ resume: { action: 'decline' } }), thread);
        console.log(JSON.stringify(again), last.at(-1)?.text);`,
        );
        expect(JSON.parse(first!)).toEqual([question('Who are you?')]);
        const answers = '{"q0":{"action":"accept","content":{"name":"Ada"}},"q1":{"action":"decline"}}';
        expect(rest.join('\n')).toContain(`The tool said ${answers}`);
        expect(rest.join('\n')).toContain('The server asked \"And your friend?\". The question was declined.');
        // Each resume goes on where the call was: a round for each answer, or the one call that waits.
        expect(counter.calls.map(({ inputResponses = {} }) => Object.keys(inputResponses as object))).toEqual(
          revision === '2026-07-28' ? [[], ['q0'], ['q1']] : [[]],
        );
      });

      test('asks again where the content does not fit', async () => {
        const [, again] = await printed(
          'misfit',
          example
            .replace(`content: { name: 'Ada' }`, 'content: { name: 1 }')
            .replace('messages.at(-1)?.text', '0')
            .replace('const { messages }', 'const { __interrupt__: again }: any')
            .replace('console.log(0)', 'console.log(JSON.stringify(again.map(({ value }: any) => value)))'),
        );
        expect(JSON.parse(again!)).toEqual([
          { ...question('Who are you?'), problems: [expect.stringContaining('name') as string] },
        ]);
      });

      const [before, after] = example.replace('new MemorySaver()', 'new FileSaver()').split('// Later');
      const setup = before!.slice(0, before!.indexOf('const paused')) + persistent;
      const hoisted = (source: string) => {
        const at = source.indexOf('await using');
        const classAt = source.indexOf('\nimport { existsSync');
        return classAt < 0 ? source : source.slice(0, at) + source.slice(classAt) + source.slice(at, classAt);
      };

      test(
        revision === '2026-07-28'
          ? 'is answered from another process, by its state'
          : 'cannot be answered from another process, and says so',
        async () => {
          await printed(
            'first',
            hoisted(setup) + before!.slice(before!.indexOf('const paused')) + '\nprocess.exit(0);',
          );
          const second = `${hoisted(setup)}// Later${after!}`;
          const lines = await printed(
            'second',
            second.replace('messages.at(-1)?.text', 'JSON.stringify(messages?.at(-1)?.content)'),
          );
          if (revision === '2026-07-28') {
            const third = second.replace(`name: 'Ada'`, `name: 'Grace'`);
            expect((await printed('third', third)).join('\n')).toContain(
              '{"q0":{"action":"accept","content":{"name":"Ada"}},"q1":{"action":"accept","content":{"name":"Grace"}}}',
            );
            expect(counter.calls).toHaveLength(3);
          } else expect(lines.join('\n')).toContain('session that is gone');
        },
      );
    });

    // Before 2026-07-28 its session has to live, as for a call that is no task.
    test.each([
      ['2026-07-28', 'tasks-v2.mjs', true],
      ['2025-11-25', 'tasks-v1.mjs', false],
    ])(
      'a task of %s is paused where its server asks, and ends in another process where it can',
      async (revision, script, isAnywhere) => {
        const server = await startProgram(programPath(script), ['http']);
        const counter = await startCounter(server.url);
        const model = await startModel(
          steps(call('asking', {}), ({ messages }) => ({ text: `The tool said ${String(messages.at(-1)?.content)}` })),
        );
        const folder = join(host!, 'node_modules', '.examples', `questions-tasks-${revision}`);
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
        const program = `import { ChatOpenAI } from '@langchain/openai';\n${example}`
          .replace('https://example.com/mcp', counter.url)
          .replace(`'openai:gpt-4.1'`, `new ChatOpenAI({ model: 'gpt-4.1', useResponsesApi: false })`);
        const [before = '', after = ''] = program.replace('new MemorySaver()', 'new FileSaver()').split('// Later');
        const at = before.indexOf('await using');
        const pausedAt = before.indexOf('const paused');
        const setup = before.slice(0, at) + persistent + before.slice(at, pausedAt);
        const sources = isAnywhere ? [`${setup}${before.slice(pausedAt)}`, `${setup}// Later${after}`] : [program];
        const env = {
          ...process.env,
          OPENAI_API_KEY: 'none',
          OPENAI_BASE_URL: model.url,
          CHECKPOINTS: join(folder, 'checkpoints'),
        };
        const printed: string[] = [];
        try {
          for (const [index, source] of sources.entries()) {
            const whole = isAnywhere ? `${source}\nprocess.exit(0);` : source;
            printed.push((await runTypescript(join(folder, `${index}.mjs`), whole, { cwd: host!, env })).stdout);
          }
        } finally {
          await model.stop();
          counter.close();
          await server.close();
        }
        const [question = '', ...said] = printed.join('\n').split('\n');
        expect(JSON.parse(question)).toMatchObject([{ type: 'elicitation', tool: 'asking', message: 'Who are you?' }]);
        expect(said.join('\n')).toContain('The tool said {"action":"accept","content":{"name":"Ada"}}');
        expect(counter.calls).toHaveLength(1);
        expect(server.printed.filter((line) => line.startsWith('tasks/cancel'))).toEqual([]);
      },
    );

    test('the everything server asks through createAgent, and gets the answer', async () => {
      const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
      const model = await startModel(
        steps(call('trigger-elicitation-request', {}), ({ messages }) => ({
          text: `The tool said ${String(messages.at(-1)?.content)}`,
        })),
      );
      const folder = join(host!, 'node_modules', '.examples', 'questions-everything');
      mkdirSync(folder, { recursive: true });
      const address = { transport: 'stdio', command: process.execPath, args: [everything, 'stdio'] };
      const program = example
        .replace(`{ url: 'https://example.com/mcp' }`, JSON.stringify(address))
        .replace(`'openai:gpt-4.1'`, `new ChatOpenAI({ model: 'gpt-4.1', useResponsesApi: false })`);
      const whole = `import { ChatOpenAI } from '@langchain/openai';\n${program}`;
      const env = { ...process.env, OPENAI_API_KEY: 'none', OPENAI_BASE_URL: model.url };
      const { stdout } = await runTypescript(join(folder, 'everything.mjs'), whole, { cwd: host!, env });
      await model.stop();
      const [question = '', ...said] = stdout.trim().split('\n');
      expect(JSON.parse(question)).toMatchObject([
        { type: 'elicitation', tool: 'trigger-elicitation-request', mode: 'form', schema: { required: ['name'] } },
      ]);
      expect(said.join('\n')).toMatch(/The tool said .*Ada/s);
    });
  },
);
