// The recipe of docs/frameworks.md for VoltAgent, as test/programs/frameworks/recipes.test.ts has it run.
import { createTool, type ToolSchema } from '@voltagent/core';
import { Agent } from '@voltagent/core';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { wrapLanguageModel } from 'ai';
import { standardSchema } from 'mcp-verbatim';
import { mcpTools, verbatimTools } from 'mcp-verbatim/ai-sdk';

const [serverUrl = '', modelUrl = '', scenario = ''] = process.argv.slice(2);

// A call that waits reports progress, so that it is aborted while it is under way.
const controller = new AbortController();
await using tools = await mcpTools(
  { url: serverUrl },
  { onProgress: () => controller.abort(), ...(scenario === 'approval' && { needsApproval: 'all' }) },
);

const own = Object.entries(tools).map(([name, { inputSchema, toModelOutput, execute, ...tool }]) =>
  createTool({
    ...{ ...tool, name, toModelOutput: toModelOutput as never },
    parameters: inputSchema as unknown as ToolSchema,
    execute: (args, options) => execute(args, { abortSignal: options?.toolContext?.abortSignal }),
  }),
);

// Without a recipe: each tool's Standard Schema.
const { tools: listed } = await (await tools.session()).listTools();
const standard = listed.map((tool) =>
  createTool({
    // Its types know no Standard Schema but Zod.
    ...{ name: tool.name, description: '', parameters: standardSchema(tool) as unknown as ToolSchema },
    execute: (args: unknown) => Promise.resolve(JSON.stringify(args)),
  }),
);

const bare = createOpenAICompatible({ name: 'loopback', baseURL: modelUrl, apiKey: 'none' })('gpt-4o');
const model = wrapLanguageModel({ model: bare, middleware: verbatimTools(tools) });
const isStandard = scenario === 'standard';
// AI SDK 7 refuses instructions of VoltAgent, which is made for 6.
const settings = { name: 'finder', instructions: '', model: isStandard ? bare : model, maxRetries: 0 };
const agent = new Agent({ ...settings, tools: isStandard ? standard : own });
try {
  const { text } = await agent.generateText('Find them.', { abortSignal: controller.signal, maxSteps: 8 });
  console.log(JSON.stringify({ text }));
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).name }));
}
