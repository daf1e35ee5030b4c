import { expect, test } from 'vitest';
import { providerOfModel } from '../../src/projections/index.js';

const region = 'arn:aws:bedrock:us-east-1:1:inference-profile/';

test.each([
  // Families, in every spelling and with every host.
  ['openai', 'gpt-4o gpt-3.5-turbo gpt-35-turbo-16k gpt-5-codex chatgpt-4o-latest codex-mini-latest o3 o4-mini', ''],
  ['openai', 'ft:gpt-4o-2024-08-06:org::abc openai/gpt-4o openrouter/openai/o3-mini', ''],
  ['openai', 'openai/gpt-4o:online', 'ChatOpenRouter'],
  ['anthropic', 'claude-sonnet-4-5 projects/p/locations/l/publishers/anthropic/models/claude-3-opus', ''],
  ['anthropic', 'claude-opus-4-1@20250805', 'ChatVertexAI'],
  ['anthropic', 'anthropic/claude-sonnet-4.5', 'ChatOpenAI'],
  ['anthropic', '~anthropic/claude-sonnet-latest', 'lmChatOpenRouter'],
  ['anthropic', 'anthropic.claude-3-5-sonnet-20241022-v2:0', 'ChatBedrockConverse'],
  ['anthropic', `${region}us.anthropic.claude-sonnet-4-v1:0`, 'ChatBedrockConverse'],
  ['anthropic', 'us.anthropic.claude-opus-4-20250514-v1:0', 'lmChatAwsBedrock'],
  ['google', 'gemini-2.5-pro models/gemini-2.0-flash', ''],
  ['google', 'google/gemini-2.5-flash', 'lmChatVercelAiGateway'],
  ['cohere', 'command-r-plus', ''],
  // A vendor, with any model.
  ['openai', 'openai/some-new-model', ''],
  ['anthropic', 'anthropic/some-new-model', 'ChatOpenRouter'],
  ['google', 'google/some-new-model', ''],
  // A host.
  ['openai', 'my-deployment', 'AzureChatOpenAI azure.responses azure.chat'],
  ['openai', '', 'ChatOpenAI ChatOpenAIResponses azure_openai lmChatAzureOpenAi'],
  ['anthropic', '', 'ChatAnthropic'],
  ['google', '', 'ChatGoogleGenerativeAI ChatVertexAI google-genai google_vertexai lmChatGoogleGemini'],
  ['google', 'gemma-3-27b-it', 'ChatGoogleGenerativeAI'],
  ['cohere', '', 'ChatCohere'],
  // Open weights without a known host, and unknown models.
  ['groq', 'openai/gpt-oss-120b', 'ChatGroq lmChatGroq'],
  ['xai', 'grok-4 x-ai/grok-4', 'ChatXAI ChatOpenRouter'],
  ['xai', '', 'ChatXAI lmChatXAiGrok'],
  ['moonshot', 'kimi-k2', 'ChatMoonshot lmChatMoonshot'],
  ['fireworks', '', 'ChatFireworks'],
  ['deepseek', 'deepseek-chat', 'ChatOpenAI'],
  [undefined, 'openai.gpt-oss-120b-1:0 amazon.nova-pro-v1:0', 'ChatBedrockConverse'],
  ['ollama', 'gpt-oss:20b command-r llama3.1:8b marco-o1:7b', 'ChatOllama'],
  [undefined, 'google/gemma-3-27b-it', 'ChatOpenRouter'],
  [undefined, 'EleutherAI/gpt-j-6b', 'HuggingFaceInference'],
  [undefined, 'gpt4all-j', ''],
  ['deepseek', 'deepseek-r1-distill', 'ChatDeepSeek'],
  ['mistral', 'mistral-large', 'ChatMistralAI'],
  [undefined, 'openrouter/auto', 'lmChatOpenRouter'],
  [undefined, '', ''],
])('The rules of %s apply to the models %j through %j', (provider, models, hosts) => {
  for (const model of models.split(' '))
    for (const host of hosts.split(' ')) expect(providerOfModel({ model, host }), `${model} ${host}`).toBe(provider);
});
