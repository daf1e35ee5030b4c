// The recipe of docs/frameworks.md for VoltAgent, as test/programs/frameworks/recipes.test.ts has it run.
import { Agent, createTool } from '@voltagent/core';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { wrapLanguageModel } from 'ai';
import type { ZodType } from 'zod';
import { standardSchema } from 'mcp-verbatim';
import { mcpTools, verbatimTools } from 'mcp-verbatim/ai-sdk';

const [serverUrl = '', modelUrl = '', scenario = ''] = process.argv.slice(2);

// A call that waits reports progress, so that it is aborted while it is under way.
const controller = new AbortController();
await using tools = await mcpTools({ url: serverUrl }, { onProgress: () => controller.abort() });

const own = Object.entries(tools).map(([name, { description, inputSchema, execute, toModelOutput }]) =>
  createTool({
    ...{ name, description },
    // Its types know Zod alone, and images as AI SDK 5 had them.
    parameters: inputSchema as unknown as ZodType,
    execute: (args, options) => execute(args, { abortSignal: options?.abortController?.signal }),
    toModelOutput: toModelOutput as never,
  }),
);

// Without a recipe: each tool's Standard Schema.
const { tools: listed } = await (await tools.session()).listTools();
const standard = listed.map((tool) =>
  createTool({
    // Its types know no Standard Schema but Zod.
    ...{ name: tool.name, description: '', parameters: standardSchema(tool) as unknown as ZodType },
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
