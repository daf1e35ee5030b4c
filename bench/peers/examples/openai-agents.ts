// OpenAI Agents SDK: verbatim schemas, arguments repaired and checked before the call.
import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { callTool, connect, modelTools, resultText } from 'mcp-verbatim';

const [serverUrl, modelUrl] = process.argv.slice(2);
const session = await connect({ url: serverUrl });
const { tools: catalogue } = await session.listTools();

const tools = modelTools(catalogue).map(({ name, description, schema, tool: mcpTool }) =>
  tool({
    name,
    description,
    parameters: schema as never, // their type describes only some JSON Schemas
    strict: false, // strict mode would rewrite the schema
    execute: async (args) => resultText((await callTool(session, mcpTool, args)).result),
    errorFunction: (_context, error) => (error as Error).message, // every violation, for the model to correct
  }),
);

setTracingDisabled(true);
const model = new OpenAIChatCompletionsModel(new OpenAI({ baseURL: modelUrl, apiKey: 'none' }), 'gpt-4o');
const agent = new Agent({ name: 'finder', instructions: 'Find them.', model, tools });
const result = await new Runner().run(agent, 'Find them.');
console.log(result.finalOutput);
await session.close();
