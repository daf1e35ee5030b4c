// Mastra: the tool's Standard Schema; repaired and checked by it before the call.
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { callTool, connect, modelTools, resultText, standardSchema } from 'mcp-verbatim';

const [serverUrl, modelUrl] = process.argv.slice(2);
const session = await connect({ url: serverUrl });
const { tools: catalogue } = await session.listTools();

const tools = Object.fromEntries(
  modelTools(catalogue).map(({ name, description, tool: mcpTool }) => [
    name,
    createTool({
      id: name,
      description,
      inputSchema: standardSchema(mcpTool),
      execute: async (args) => resultText((await callTool(session, mcpTool, args)).result),
    }),
  ]),
);

const model = { id: 'loopback/gpt-4o' as const, url: modelUrl, apiKey: 'none' };
const agent = new Agent({ id: 'finder', name: 'finder', instructions: 'Find them.', model, tools });
const { text } = await agent.generate('Find them.', { maxSteps: 5 });
console.log(text);
await session.close();
process.exit(0);
