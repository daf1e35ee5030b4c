// The recipe of docs/frameworks.md for Google ADK, as test/programs/frameworks/recipes.test.ts has it run.
import { FunctionTool, type Context } from '@google/adk';
import { Gemini, InMemoryRunner, LlmAgent, setLogger } from '@google/adk';
import { agentTools } from 'mcp-verbatim';

const [serverUrl = '', modelUrl = '', scenario = ''] = process.argv.slice(2);

// A call that waits reports progress, so that it is aborted while it is under way.
const controller = new AbortController();
await using tools = await agentTools(
  { url: serverUrl },
  { onProgress: () => controller.abort(), ...(scenario === 'approval' && { needsApproval: 'all' }) },
);

const own = tools.map(({ name, description, inputSchema, needsApproval: requireConfirmation, callOrThrow }) => {
  const execute = (args: unknown, context?: Context) => callOrThrow(args, { signal: context?.abortSignal });
  const tool = new FunctionTool({ name, description, requireConfirmation, execute });
  return Object.assign(tool, { _getDeclaration: () => ({ name, description, parametersJsonSchema: inputSchema }) });
});

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
