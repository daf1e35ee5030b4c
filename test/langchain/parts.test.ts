import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { outcomeAfter } from '../../src/langchain/call/hooks.js';
import { failed, McpToolError, type Outcome } from '../../src/langchain/call/outcome.js';
import { resultForModel } from '../../src/langchain/call/output-handling.js';
import { performCall, type Target, type ToolRun } from '../../src/langchain/call/perform.js';
import { verbatimTools } from '../../src/langchain/index.js';
import { apiOf, modelSeesMedia } from '../../src/langchain/provider-of-model.js';
import { InvalidResultError } from '../../src/internal.js';
import type { ToolResult } from '../../src/mcp/index.js';

const outcome: Outcome = { status: 'success', content: 'seen', artifact: {} };
const result = { content: [{ type: 'text', text: 'a' }], isError: false, raw: { a: 1 } } as ToolResult;
const text = { type: 'text', text: 'x' };

test.each<[returned: unknown, comes: object]>([
  [['a', 'b'], { content: 'a', artifact: 'b' }],
  [['a', 'b', 'c'], { content: '["a","b","c"]' }],
  [[[text], 1], { content: [text], artifact: 1 }],
  [[text, text], { content: [text, text] }],
  [{ lc_direct_tool_output: false }, { content: '{"lc_direct_tool_output":false}' }],
  [{ lc_direct_tool_output: true }, { output: { lc_direct_tool_output: true } }],
  [null, {}],
])('The hook after a call makes of %j: %j', (returned, comes) => {
  expect(outcomeAfter(outcome, returned)).toEqual({ ...outcome, ...comes });
});

test('A result that breaks its promise is in the artifact, and that of a thrown error is not in a log', () => {
  const broken = new InvalidResultError('look', [], result);
  expect(failed(broken)?.artifact).toEqual({ result: { a: 1 }, error: { code: broken.code } });
  const error = new McpToolError('look', 'No.', { arguments: { key: 'secret' } });
  expect([error.artifact, JSON.stringify(error).includes('secret')]).toEqual([{ arguments: { key: 'secret' } }, false]);
});

test('What a model reads beside an answer that is kept has its questions and warnings, and an unknown kind is text', () => {
  const more = { asked: [{ message: 'Who?' }], warnings: [{ code: 'w' }] } as never as Partial<ToolResult>;
  const kept = resultForModel({ ...result, ...more, content: [{ type: 'image', data: '', mimeType: '' }] }, 'artifact');
  expect(kept).toMatchObject({ ...more, raw: { a: 1 }, content: [{ type: 'text' }] });
  const content = [{ type: 'new', of: 1 }, ...result.content];
  expect(resultForModel({ ...result, content }, { text: 'artifact' }).content).toEqual(kept.content);
  expect(resultForModel({ ...result, content }, { image: 'artifact' }).content).toEqual(content);
});

test('The timeout of a run wins over the time limits of the hook, the tool and all tools', async () => {
  const settings: unknown[] = [];
  const after: unknown[] = [];
  const target = {
    server: 's',
    tool: { name: 'look' },
    call: (_args: unknown, given: object) => {
      settings.push(given);
      return Promise.resolve({ result, arguments: {}, repairs: [], warnings: [] });
    },
  } as unknown as Target; // only the members that are read
  const config = { configurable: { of: 'the run' } } as ToolRun['config'];
  const options = {
    after: (about: object) => void after.push(about),
    timeouts: { look: 3 },
    idleTimeoutMs: 4,
    maxDurationMs: 5,
  };
  const run = { config, onProgress: () => {} };
  const hooked = { ...options, before: () => ({ idleTimeoutMs: 2 }) };
  await performCall(target, {}, hooked, { ...run, timeout: 1 });
  await performCall(target, {}, hooked, run);
  await performCall(target, {}, options, run);
  const limits = [1, 2, 3].map((idleTimeoutMs) => ({ idleTimeoutMs, maxDurationMs: idleTimeoutMs === 1 ? 1 : 5 }));
  expect(settings).toMatchObject(limits);
  expect(after[0]).toEqual({ server: 's', tool: target.tool, arguments: {}, repairs: [], result, config });
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
