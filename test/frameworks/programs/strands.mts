// The recipe of docs/frameworks.md for Strands, as test/programs/frameworks/recipes.test.ts has it run.
import { FunctionTool, type JSONSchema, type ToolContext } from '@strands-agents/sdk';
import { Agent } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { agentTools } from 'mcp-verbatim';

const [serverUrl = '', modelUrl = ''] = process.argv.slice(2);

// A call that waits reports progress, so that it is aborted while it is under way.
const controller = new AbortController();
await using tools = await agentTools({ url: serverUrl }, { onProgress: () => controller.abort() });

const own = tools.map(({ name, description, inputSchema, callOrThrow }) => {
  const callback = (args: unknown, { cancelSignal: signal }: ToolContext) => callOrThrow(args, { signal });
  return new FunctionTool({ name, description, inputSchema: inputSchema as JSONSchema, callback });
});

const clientConfig = { baseURL: modelUrl, maxRetries: 0 };
const model = new OpenAIModel({ api: 'chat', modelId: 'gpt-4o', apiKey: 'none', clientConfig });
try {
  const agent = new Agent({ model, tools: own, printer: false });
  const result = await agent.invoke('Find them.', { cancelSignal: controller.signal });
  console.log(JSON.stringify({ text: result.toString() }));
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).name }));
}
