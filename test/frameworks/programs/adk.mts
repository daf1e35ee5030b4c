// The recipe of docs/frameworks.md for Google ADK, as test/programs/frameworks/recipes.test.ts has it run.
import { BaseTool, Gemini, InMemoryRunner, LlmAgent, setLogger, type RunAsyncToolRequest } from '@google/adk';
import { agentTools } from 'mcp-verbatim';

const [serverUrl = '', modelUrl = ''] = process.argv.slice(2);

// A call that waits reports progress, so that it is aborted while it is under way.
const controller = new AbortController();
await using tools = await agentTools({ url: serverUrl }, { onProgress: () => controller.abort() });

const own = tools.map(
  ({ name, description, inputSchema, call }) =>
    new (class extends BaseTool {
      override _getDeclaration = () => ({ name, description, parametersJsonSchema: inputSchema });
      override async runAsync({ args, toolContext }: RunAsyncToolRequest) {
        const { isError, text } = await call(args, { signal: toolContext.abortSignal });
        return isError ? { error: text } : { result: text };
      }
    })({ name, description }),
);

setLogger(null);
process.env['GOOGLE_GEMINI_BASE_URL'] = modelUrl.replace(/\/v1$/, '');
const model = new Gemini({ model: 'gemini-2.5-flash', apiKey: 'none' });
const runner = new InMemoryRunner({ agent: new LlmAgent({ name: 'finder', model, tools: own }) });
try {
  const { id } = await runner.sessionService.createSession({ appName: runner.appName, userId: 'finder' });
  const newMessage = { role: 'user', parts: [{ text: 'Find them.' }] };
  const run = { userId: 'finder', sessionId: id, newMessage, abortSignal: controller.signal };
  let text: string | undefined;
  for await (const { content } of runner.runAsync(run)) text = content?.parts?.at(-1)?.text;
  console.log(JSON.stringify({ text }));
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).name }));
}
