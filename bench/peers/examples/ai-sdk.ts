// Vercel's AI SDK: verbatim schemas, arguments repaired and checked before the call.
import { generateText, stepCountIs } from 'ai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { mcpTools } from 'mcp-verbatim/ai-sdk';

const [url, modelUrl] = process.argv.slice(2);
await using tools = await mcpTools({ url });

const model = createOpenAICompatible({ name: 'loopback', baseURL: modelUrl, apiKey: 'none' })('gpt-4o');
const { text } = await generateText({ model, tools, prompt: 'Find them.', stopWhen: stepCountIs(5) });
console.log(text);
