// An agent of OpenAI Agents for test/programs/frameworks/openai-agents.test.ts: it prints the outcome of the run.
import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, setTracingDisabled } from '@openai/agents';
import OpenAI from 'openai';
import { mcpTools } from 'mcp-verbatim/openai-agents';

const [serverUrl = '', modelUrl = '', api = '', scenario = ''] = process.argv.slice(2);
const client = new OpenAI({ baseURL: modelUrl, apiKey: 'none' });
const models = {
  chat: new OpenAIChatCompletionsModel(client, 'gpt-4o'),
  responses: new OpenAIResponsesModel(client, 'gpt-4o'),
};
const model = models[api as keyof typeof models];
const has = (word: string) => scenario.includes(word);
setTracingDisabled(true);

// A waiting call reports progress, so the abort meets a running call.
const controller = new AbortController();
await using tools = await mcpTools(
  { url: serverUrl },
  { onProgress: () => controller.abort(), ...(has('approval') && { needsApproval: 'all' }) },
);
const agent = new Agent({ name: 'finder', instructions: 'Find them.', model, tools });
const runner = new Runner();
try {
  const result = await runner.run(agent, 'Find them.', { signal: controller.signal });
  const [asked] = result.interruptions;
  if (asked) {
    result.state.approve(asked);
    const resumed = await runner.run(agent, result.state);
    console.log(JSON.stringify({ asked: true, text: resumed.finalOutput }));
  } else {
    console.log(JSON.stringify({ text: result.finalOutput }));
  }
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).name, message: (error as Error).message }));
}
