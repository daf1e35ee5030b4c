// OpenAI Agents SDK: verbatim schemas, arguments repaired and checked before the call.
import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled } from '@openai/agents';
import OpenAI from 'openai';
import { mcpTools } from 'mcp-verbatim/openai-agents';

const [url, modelUrl] = process.argv.slice(2);
await using tools = await mcpTools({ url });

setTracingDisabled(true);
const model = new OpenAIChatCompletionsModel(new OpenAI({ baseURL: modelUrl, apiKey: 'none' }), 'gpt-4o');
const agent = new Agent({ name: 'finder', instructions: 'Find them.', model, tools });
const result = await new Runner().run(agent, 'Find them.');
console.log(result.finalOutput);
