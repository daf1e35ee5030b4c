import { expect, test } from 'vitest';
import { isObject } from '../../src/json/index.js';
import { modelSchema, type Provider, sentSchema } from '../../src/projections/index.js';
import { hardSchemas } from '../../test-support/schemas/hard.js';
import { judged } from '../../test-support/model/provider-judges.js';
import { fromHost, host, own } from './newest.js';
import { captureRequests, chatModels } from './providers.js';
import { serverForAll } from './server.js';

type Schema = Record<string, unknown>;

const models: readonly (readonly [name: string, provider: Provider])[] = [
  ['ChatOpenAI', 'openai'],
  ['ChatOpenAI, responses', 'openai'],
  ['ChatAnthropic', 'anthropic'],
  ['ChatGoogleGenerativeAI', 'google'],
  ['ChatGoogle', 'google'],
  ['ChatMistralAI', 'mistral'],
  ['ChatGroq', 'groq'],
  ['ChatOllama', 'ollama'],
  ['ChatCohere', 'cohere'],
];

/** The tools by any API's name for them. Gemini gets no parameters for a tool that has none. */
function schemasIn(body: unknown): Map<unknown, Schema> {
  const groups = (isObject(body) ? (body['tools'] as Schema[]) : []).map(
    (tool) => tool['functionDeclarations'] ?? tool,
  );
  const tools = groups.flat() as Schema[];
  return new Map(
    tools.map((each) => {
      const { name, ...tool } = (each['function'] ?? each) as Schema;
      const { parameters, input_schema, parameter_definitions: properties } = tool;
      return [name, (parameters ?? input_schema ?? { properties }) as Schema];
    }),
  );
}

const server = serverForAll(
  Object.entries(hardSchemas).map(([name, inputSchema]) => ({ definition: { name, inputSchema } })),
);

test.skipIf(host === undefined).each(models)(
  '%s sends every tool, and nothing that its provider refuses, if the model is named',
  async (name, provider) => {
    const endpoint = await captureRequests();
    const model = chatModels[name]!(fromHost, endpoint.url);
    await using tools = await own().mcpTools({ url: server.url }, { model });
    await model
      .bindTools([...tools])
      .invoke('Hello.')
      .catch(() => {});
    const arrived = schemasIn(endpoint.body());
    await endpoint.close();
    expect([...arrived.keys()]).toEqual(Object.keys(hardSchemas));
    for (const { name: tool, schema } of tools) {
      if (provider === 'google' && Object.keys(schema['properties'] as Schema).length === 0) continue;
      const sent = arrived.get(tool)!;
      expect(judged(sent, provider), JSON.stringify({ tool, sent })).toEqual([]);
      if (provider === 'cohere') continue; // LangChain rebuilds it
      const api = name.endsWith('responses') ? 'responses' : 'completions';
      const original = modelSchema({ inputSchema: hardSchemas[tool] as Schema });
      expect(sent).toEqual(sentSchema(original, provider, api).schema);
    }
  },
);
