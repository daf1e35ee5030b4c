// Vercel's AI SDK: verbatim schemas, arguments repaired and checked before the call.
import { generateText, stepCountIs, jsonSchema, tool } from 'ai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { callTool, checkArguments, connect, modelTools, resultText } from 'mcp-verbatim';
import type { CatalogueTool } from 'mcp-verbatim';

const [serverUrl, modelUrl] = process.argv.slice(2);
const session = await connect({ url: serverUrl });
const { tools: catalogue } = await session.listTools();

const tools = Object.fromEntries(
  modelTools(catalogue).map(({ name, description, schema, tool: mcpTool }) => [
    name,
    tool({
      description,
      // jsonSchema() hands the schema on as it is; given a Standard Schema, the SDK writes "additionalProperties": false
      // into the schema it shows the model.
      inputSchema: jsonSchema(schema, { validate: (value) => checked(mcpTool, value) }),
      execute: async (args, { abortSignal }) =>
        resultText((await callTool(session, mcpTool, args, { signal: abortSignal })).result),
    }),
  ]),
);

function checked(mcpTool: CatalogueTool, value: unknown) {
  try {
    return { success: true as const, value: checkArguments(mcpTool, value).arguments };
  } catch (error) {
    return { success: false as const, error: error as Error }; // every violation, for the model to correct
  }
}

const model = createOpenAICompatible({ name: 'loopback', baseURL: modelUrl, apiKey: 'none' })('gpt-4o');
const { text } = await generateText({ model, tools, prompt: 'Find them.', stopWhen: stepCountIs(5) });
console.log(text);
await session.close();
