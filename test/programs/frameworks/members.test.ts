import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mcpTools as aiSdkTools, verbatimTools } from '../../../src/frameworks/ai-sdk.js';
import { mcpTools as mastraTools } from '../../../src/frameworks/mastra.js';
import type { AgentToolsOptions } from '../../../src/internal.js';
import { type HttpServer, startHttpServer } from '../../../test-support/servers/http.js';
import { first, second } from '../../../test-support/servers/two-servers.js';

interface Written {
  tools: { options: AgentToolsOptions; of: { ai: object; mastra: object } }[];
  params: object;
  models: { model: object; params: object }[];
  answers: { given: object; made: object }[];
}

/** Options, requests and answers, and what becomes of each, as its reviewers read it. */
const written = JSON.parse(readFileSync(new URL('./members.json', import.meta.url), 'utf8')) as Written;

const servers: HttpServer[] = [];
beforeAll(async () => {
  servers.push(await startHttpServer(first()), await startHttpServer(second));
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

const tenant = (context: unknown) => (context as { of?: string } | undefined)?.of ?? 'nobody';
const source = () => ({
  mcpServers: { one: { url: servers[0]!.url, fixed: { search: { tenant } } }, two: { url: servers[1]!.url } },
});
const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/x{400}/g, 'LONG')) as object;
const input = { q: 'x', limit: '2' };

test.each(written.tools)(
  'A tool for the AI SDK and for Mastra has these members: $options',
  async ({ options, of }) => {
    await using ai = await aiSdkTools(source(), options);
    await using mastra = await mastraTools(source(), options);
    const made = async (tool: (typeof ai)[string] | (typeof mastra)[string]) => {
      const own = tool.inputSchema as unknown as Record<PropertyKey, (value: unknown) => unknown>;
      const { '~standard': standard } = tool.inputSchema;
      const { jsonSchema } = standard as unknown as { jsonSchema: Record<'input' | 'output', () => object> };
      const schemas = [own['jsonSchema'], jsonSchema.input(), jsonSchema.output()];
      const validated = [own['validate']!({ a: 1 }), standard.validate({ a: 2 }), own[Symbol.for('vercel.ai.schema')]];
      const asked = [await tool.needsApproval?.(input), await tool.needsApproval?.({ limit: 'many' })];
      const outputs = [];
      for (const context of [{ of: 'six' }, { of: 'seven', context: {} }]) {
        const output = await tool.execute(tool.description === 'Finds things.' ? input : {}, context as object);
        const { toModelOutput } = tool as { toModelOutput: (about: object) => object };
        outputs.push({ output, forModel: toModelOutput('id' in tool ? output : { output }) });
      }
      return { ...tool, schemas, validated, asked, outputs };
    };
    const all = async (tools: typeof ai | typeof mastra) =>
      plain(
        Object.fromEntries(
          await Promise.all(
            Object.entries(tools).map(async ([name, tool]) => [name, await made(tool as (typeof ai)[string])]),
          ),
        ),
      );
    expect({ ai: await all(ai), mastra: await all(mastra) }).toEqual(of);
  },
);

test('The middleware for the AI SDK gives each model this request, and the SDK these answers', async () => {
  await using tools = await aiSdkTools(source());
  const { specificationVersion, transformParams, wrapGenerate, wrapStream } = verbatimTools(tools);
  expect(specificationVersion).toBe('v3');
  const models = [];
  for (const { model } of written.models)
    models.push({ model, params: await transformParams({ params: written.params, model }) });
  expect(models).toEqual(written.models);
  expect(await transformParams({ params: 'of another version', model: {} })).toBe('of another version');
  const answers = [];
  for (const { given } of written.answers) {
    const made: unknown = await wrapGenerate({ doGenerate: () => Promise.resolve(given) });
    answers.push({ given, made });
  }
  expect(answers).toEqual(written.answers);
  const parts = written.answers[0] as { given: { content: object[] }; made: { content: object[] } };
  const { stream } = await wrapStream({
    doStream: () => Promise.resolve({ stream: ReadableStream.from(parts.given.content) }),
  });
  const streamed = [];
  for await (const part of stream) streamed.push(part);
  expect(streamed).toEqual(parts.made.content);
});
