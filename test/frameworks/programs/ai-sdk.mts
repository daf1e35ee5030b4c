// An agent of the AI SDK for test/programs/frameworks/ai-sdk.test.ts: it prints the outcome of the run.
import { asSchema, generateText, stepCountIs, streamText, tool, wrapLanguageModel, type ModelMessage } from 'ai';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { standardSchema } from 'mcp-verbatim';
import { mcpTools, verbatimTools } from 'mcp-verbatim/ai-sdk';
import { z } from 'zod';

const [serverUrl = '', modelUrl = '', api = '', scenario = ''] = process.argv.slice(2);
const baseURL = modelUrl;
const apiKey = 'none';
const models = {
  chat: createOpenAICompatible({ name: 'loopback', baseURL, apiKey })('gpt-4o'),
  responses: createOpenAI({ baseURL, apiKey }).responses('gpt-4o'),
  anthropic: createAnthropic({ baseURL, apiKey })('claude-sonnet-4-5'),
  google: createGoogleGenerativeAI({ baseURL, apiKey })('gemini-2.5-pro'),
};
const bare = models[api as keyof typeof models];
const has = (word: string) => scenario.includes(word);

// A waiting call reports progress, so the abort meets a running call.
const controller = new AbortController();
await using tools = await mcpTools(
  { url: serverUrl },
  {
    onProgress: () => controller.abort(),
    ...(has('approval') && { needsApproval: 'all' }),
    ...(has('named') && { model: bare }),
  },
);
const model = has('middleware') ? wrapLanguageModel({ model: bare, middleware: verbatimTools(tools) }) : bare;
const messages: ModelMessage[] = [{ role: 'user', content: 'Find them.' }];
// A tool of the program itself stands beside them.
const own = tool({ description: 'None.', inputSchema: z.object({}), execute: () => Promise.resolve('') });
const settings = {
  model,
  tools: { ...tools, own },
  messages,
  stopWhen: stepCountIs(8),
  abortSignal: controller.signal,
};

try {
  if (has('standard')) {
    const { tools: listed } = await (await tools.session()).listTools();
    console.log(JSON.stringify(await asSchema(standardSchema(listed[0]!)).jsonSchema));
  } else if (has('stream')) {
    const streamed = streamText(settings);
    console.log(JSON.stringify({ text: await streamed.text }));
  } else {
    const { text, steps, content, response } = await generateText(settings);
    const results = steps.flatMap((step) => step.toolResults.map(({ output }) => output));
    const approval = content.find((part) => part.type === 'tool-approval-request');
    if (approval) {
      const { approvalId } = approval;
      const answer: ModelMessage = {
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId, approved: true }],
      };
      const resumed = await generateText({ ...settings, messages: [...messages, ...response.messages, answer] });
      console.log(JSON.stringify({ asked: true, text: resumed.text }));
    } else {
      // Any result is a conversation that can go on.
      const again = await generateText({ ...settings, messages: [...messages, ...response.messages, ...messages] });
      console.log(JSON.stringify({ text, results, again: again.text }));
    }
  }
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).name }));
}
