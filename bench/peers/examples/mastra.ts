// Mastra: arguments repaired and checked before the call.
import { Agent } from '@mastra/core/agent';
import { mcpTools } from 'mcp-verbatim/mastra';

const [url, modelUrl] = process.argv.slice(2);
const tools = await mcpTools({ url });

const model = { id: 'loopback/gpt-4o' as const, url: modelUrl, apiKey: 'none' };
const agent = new Agent({ id: 'finder', name: 'finder', instructions: 'Find them.', model, tools });
const { text } = await agent.generate('Find them.', { maxSteps: 5 });
console.log(text);
await tools.close();
process.exit(0);
