// An agent of Mastra for test/programs/frameworks/mastra.test.ts: it prints the outcome of the run.
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { wrapLanguageModel } from 'ai';
import { verbatimTools } from 'mcp-verbatim/ai-sdk';
import { mcpTools } from 'mcp-verbatim/mastra';
import { z } from 'zod';

const [serverUrl = '', modelUrl = '', api = '', scenario = ''] = process.argv.slice(2);
const baseURL = modelUrl;
const apiKey = 'none';
const has = (word: string) => scenario.includes(word);

// A waiting call reports progress, so the abort meets a running call.
const controller = new AbortController();
await using tools = await mcpTools(
  { url: serverUrl },
  {
    onProgress: () => controller.abort(),
    ...(has('approval') && { needsApproval: 'all' }),
    ...(has('named') && { model: 'openai/gpt-4o' }),
  },
);
const wrapped = (model: Parameters<typeof wrapLanguageModel>[0]['model']) =>
  wrapLanguageModel({ model, middleware: verbatimTools(tools) });
const models = {
  router: { id: 'openai/gpt-4o' as const, url: modelUrl, apiKey },
  responses: wrapped(createOpenAI({ baseURL, apiKey }).responses('gpt-4o')),
  anthropic: wrapped(createAnthropic({ baseURL, apiKey })('claude-sonnet-4-5')),
  google: wrapped(createGoogleGenerativeAI({ baseURL, apiKey })('gemini-2.5-pro')),
};
// Mastra's types lack a member of today's provider packages.
const model = models[api as keyof typeof models] as typeof models.router;
// A tool of the program itself stands beside them.
const own = createTool({
  id: 'own',
  description: 'None.',
  inputSchema: z.object({}),
  execute: () => Promise.resolve(''),
});
const all = { ...tools, own };
const finder = new Agent({ id: 'finder', name: 'finder', instructions: 'Find them.', model, tools: all });
// It keeps the runs that wait for a person.
const agent = new Mastra({ agents: { finder }, storage: new InMemoryStore(), logger: false }).getAgent('finder');
const settings = { maxSteps: 8, abortSignal: controller.signal };
try {
  let answer = await agent.generate('Find them.', settings);
  const asked = answer.finishReason === 'suspended';
  if (asked) {
    const { runId = '', suspendPayload } = answer;
    const { toolCallId } = suspendPayload as { toolCallId: string };
    const decided = { ...settings, runId, toolCallId };
    answer = has('decline')
      ? await agent.declineToolCallGenerate(decided)
      : await agent.approveToolCallGenerate(decided);
  }
  const results = answer.toolResults.map(({ payload }) => payload.result);
  console.log(JSON.stringify({ text: answer.text, results, ...(asked && { asked }) }));
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).name, message: (error as Error).message }));
}
