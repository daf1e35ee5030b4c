// An agent of Mastra 0.24 for test/programs/frameworks/mastra-24.test.ts: it prints the outcome of the run.
import { Agent } from '@mastra/core/agent';
import { mcpTools } from 'mcp-verbatim/mastra';

const [serverUrl = '', modelUrl = ''] = process.argv.slice(2);

// A waiting call reports progress, so the abort meets a running call.
const controller = new AbortController();
await using tools = await mcpTools({ url: serverUrl }, { onProgress: () => controller.abort() });
const model = { id: 'loopback/gpt-4o' as const, url: modelUrl, apiKey: 'none' };
const agent = new Agent({ id: 'finder', name: 'finder', instructions: 'Find them.', model, tools });
try {
  const { text } = await agent.generate('Find them.', { maxSteps: 8, abortSignal: controller.signal });
  console.log(JSON.stringify({ text }));
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).name, message: (error as Error).message }));
}
process.exit(0);
