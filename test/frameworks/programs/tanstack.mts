// The recipe of docs/frameworks.md for TanStack AI, as test/programs/frameworks/recipes.test.ts has it run.
import { toolDefinition } from '@tanstack/ai';
import { chat } from '@tanstack/ai';
import { createOpenaiChatCompletions } from '@tanstack/ai-openai';
import { agentTools } from 'mcp-verbatim';

const [serverUrl = '', modelUrl = '', scenario = ''] = process.argv.slice(2);

// A call that waits reports progress, so that it is aborted while it is under way.
const controller = new AbortController();
await using tools = await agentTools(
  { url: serverUrl },
  { onProgress: () => controller.abort(), ...(scenario === 'approval' && { needsApproval: 'all' }) },
);

const own = tools.map(({ name, description, inputSchema, needsApproval, callOrThrow }) =>
  toolDefinition({ name, description, inputSchema, needsApproval }).server((args, context) =>
    callOrThrow(args, { signal: context?.abortSignal }),
  ),
);

const adapter = createOpenaiChatCompletions('gpt-4o', 'none', { baseURL: modelUrl, maxRetries: 0 });
try {
  const messages = [{ role: 'user' as const, content: 'Find them.' }];
  const text = await chat({ adapter, messages, tools: own, stream: false, abortController: controller });
  console.log(JSON.stringify({ text }));
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).name }));
}
