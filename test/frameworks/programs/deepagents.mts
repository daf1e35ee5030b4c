// A deep agent of LangChain for test/programs/frameworks/deepagents.test.ts: it prints the outcome of the run.
import { Command, MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createDeepAgent } from 'deepagents';
import { createMiddleware, type BaseMessage } from 'langchain';
import { interruptOn, mcpTools, verbatimTools } from 'mcp-verbatim/langchain';

const [serverUrl = '', modelUrl = '', api = '', scenario = ''] = process.argv.slice(2);

// A waiting call reports progress, so the abort meets a running call.
const controller = new AbortController();
await using tools = await mcpTools({ url: serverUrl }, { onProgress: () => controller.abort() });
const model = new ChatOpenAI({
  model: 'gpt-4o',
  apiKey: 'none',
  configuration: { baseURL: modelUrl },
  useResponsesApi: api === 'responses',
});
const agent = createDeepAgent({
  model,
  tools: [...tools],
  middleware: [createMiddleware(verbatimTools(tools))],
  checkpointer: new MemorySaver(),
  ...(scenario === 'approval' && { interruptOn: interruptOn(tools, 'all') }),
});
const config = { configurable: { thread_id: '1' }, signal: controller.signal };
try {
  let answer = await agent.invoke({ messages: [{ role: 'user', content: 'Find them.' }] }, config);
  const asked = '__interrupt__' in answer;
  if (asked) answer = await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), config);
  const messages: BaseMessage[] = answer.messages;
  console.log(JSON.stringify({ text: messages.at(-1)?.text, asked }));
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).name, message: (error as Error).message }));
}
