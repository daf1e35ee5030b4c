import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { McpToolError } from '../../src/langchain/call/outcome.js';
import { verbatimTools } from '../../src/langchain/index.js';
import { apiOf, modelSeesMedia } from '../../src/langchain/provider-of-model.js';

test('The artifact of a thrown error is not in a log', () => {
  const error = new McpToolError('look', 'No.', { arguments: { key: 'secret' } });
  expect([error.artifact, JSON.stringify(error).includes('secret')]).toEqual([{ arguments: { key: 'secret' } }, false]);
});

test('A model that is bound, or loaded later, has the API and the sight of the model itself', () => {
  const later = { _defaultConfig: { modelProvider: 'openai', model: 'gpt-5.1', useResponsesApi: true } };
  expect([apiOf(later), apiOf({ bound: later })]).toEqual(['responses', 'responses']);
  const google = { getName: () => 'ChatGoogleGenerativeAI' };
  expect([google, { bound: google }].map((model) => modelSeesMedia('google', undefined, model))).toEqual([
    false,
    false,
  ]);
});

test('Images of other tools stay as they are, and a changed message keeps its members', () => {
  const content = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }];
  const about = { content, tool_call_id: 'c', id: 'm', name: 'look', status: 'error' as const };
  const other = new ToolMessage({ ...about, artifact: { own: 1 } });
  const ours = new ToolMessage({ ...about, artifact: { result: {} } });
  const said = new AIMessage('Hello.');
  const sent = { model: 'cohere:command-a-03-2025', messages: [other, ours, said], tools: [] };
  const { messages } = verbatimTools([]).wrapModelCall(sent, (request) => request);
  expect([messages[0], messages[2]]).toEqual([other, said]);
  expect(messages[1]).toMatchObject({ ...about, content: [{ type: 'text' }], artifact: { result: {} } });
});
