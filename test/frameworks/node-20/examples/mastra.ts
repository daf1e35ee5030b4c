// Mastra 0.24: a tool in the AI SDK's form, whose schema is JSON Schema; repaired and checked before the call.
import { jsonSchema } from 'ai';
import { Agent } from '@mastra/core/agent';
import { callTool, connect, modelTools, resultText } from 'mcp-verbatim';

const [serverUrl, modelUrl] = process.argv.slice(2);
const session = await connect({ url: serverUrl });
const { tools: catalogue } = await session.listTools();

const tools = Object.fromEntries(
  modelTools(catalogue).map(({ name, description, schema, tool: mcpTool }) => [
    name,
    {
      description,
      parameters: jsonSchema(schema),
      execute: async (args: unknown) => resultText((await callTool(session, mcpTool, args)).result),
    },
  ]),
);

const model = { id: 'loopback/gpt-4o' as const, url: modelUrl, apiKey: 'none' };
const agent = new Agent({ id: 'finder', name: 'finder', instructions: 'Find them.', model, tools });
const { text } = await agent.generate('Find them.', { maxSteps: 5 });
console.log(text);
await session.close();
process.exit(0);
