import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mcpTools as aiSdkTools, verbatimTools } from '../../../src/frameworks/ai-sdk.js';
import type * as Agents from '../../../src/frameworks/openai-agents.js';
import { mcpTools as mastraTools } from '../../../src/frameworks/mastra.js';
import type { AgentToolsOptions } from '../../../src/internal.js';
import { fetchedPackages } from '../../../test-support/packages.js';
import { type HttpServer, startHttpServer } from '../../../test-support/servers/http.js';
import { first, second } from '../../../test-support/servers/two-servers.js';
import { newest } from './program.js';

interface Written {
  tools: { options: AgentToolsOptions; of: { ai: object; mastra: object; openai: object; sent: unknown } }[];
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
/** The arguments that the servers have received since then. */
const received = () => {
  const seen = servers.flatMap((server) => server.seen.splice(0));
  return seen.flatMap(({ message }) => (message.method === 'tools/call' ? [message.params?.['arguments']] : []));
};

test.each(written.tools)(
  'A tool for the AI SDK and for Mastra has these members: $options',
  async ({ options, of: { openai: _, ...of } }) => {
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
    const all = async (tools: typeof ai | typeof mastra) => {
      const whole: Record<string, object> = {};
      for (const [name, tool] of Object.entries(tools)) whole[name] = await made(tool as (typeof ai)[string]);
      return plain(whole);
    };
    received();
    expect({ ai: await all(ai), mastra: await all(mastra), sent: received() }).toEqual(of);
  },
);

/** The members that the framework reads; its types are not installed beside these tests. */
interface AgentsTool extends Record<'name' | 'description' | 'parameters' | 'strict', unknown> {
  needsApproval(context: object, input: object): Promise<boolean>;
  invoke(context: object, input: string, details?: object): Promise<unknown>;
}

const agentsPackages = fetchedPackages(newest);

test.skipIf(agentsPackages === undefined).each(written.tools)(
  'A tool for OpenAI Agents has these members: $options',
  async ({ options, of: { openai } }) => {
    const path = join(agentsPackages!, 'node_modules/mcp-verbatim/dist/esm/openai-agents.js');
    const { mcpTools } = (await import(pathToFileURL(path).href)) as typeof Agents; // built from it
    await using tools = await mcpTools(source(), options);
    const context = { of: 'the run' };
    received();
    const made = [];
    for (const { name, description, parameters, strict, needsApproval, invoke } of tools as unknown as AgentsTool[]) {
      const asked = await needsApproval(context, input);
      const outputs = [];
      for (const args of ['{"q":"x","limit":"2"}', '{}'])
        for (const details of [undefined, { toolCall: { arguments: args.replace('2', '12345678901234567890') } }])
          outputs.push(await invoke(context, args, details));
      const aborted = { signal: AbortSignal.abort() };
      const abort = await invoke(context, '{"q":"x"}', aborted).catch((error: unknown) => (error as Error).name);
      made.push({ name, description, parameters, strict, asked, outputs, abort });
    }
    expect({ made: plain(made), sent: received() }).toEqual(openai);
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
  const { stream, ...beside } = await wrapStream({
    doStream: () => Promise.resolve({ stream: ReadableStream.from(parts.given.content), request: { body: 1 } }),
  });
  const streamed = [];
  for await (const part of stream) streamed.push(part);
  expect([streamed, beside]).toEqual([parts.made.content, { request: { body: 1 } }]);
});
