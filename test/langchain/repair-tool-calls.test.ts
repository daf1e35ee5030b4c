import { AIMessage, AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { repairToolCalls } from '../../src/langchain/index.js';

/** A model that gives these answers in turn, and the requests that it got. */
function model(...answers: AIMessage[]) {
  const asked: BaseMessage[][] = [];
  return {
    asked,
    handler: ({ messages }: { messages: BaseMessage[] }) => {
      asked.push(messages);
      return answers[Math.min(asked.length, answers.length) - 1]!;
    },
  };
}

const repaired = (handler: ReturnType<typeof model>['handler'], given: object = {}) =>
  repairToolCalls().wrapModelCall({ ...request, ...given }, handler);

const request = { messages: [new HumanMessage('Find it.')], tools: ['search'] };

function invalid(args: string) {
  return new AIMessage({
    content: '',
    invalid_tool_calls: [{ type: 'invalid_tool_call', name: 'search', id: 'call-1', args, error: 'Malformed args.' }],
  });
}

describe('a tool call whose arguments are not JSON', () => {
  test.each([
    ["{'limit': 5, 'all': True}", { limit: 5, all: true }],
    ['{"limit": 5,}', { limit: 5 }],
    ['```json\n{"limit": 5}\n```', { limit: 5 }],
    ['"{\\"limit\\": 5}"', { limit: 5 }],
  ])('A tool call without JSON is read as the model wrote it: %j', async (text, args) => {
    const { asked, handler } = model(invalid(text));
    const answer = await repaired(handler);
    expect(answer.tool_calls).toEqual([{ type: 'tool_call', name: 'search', id: 'call-1', args }]);
    expect(answer.invalid_tool_calls).toEqual([]);
    expect(asked).toEqual([request.messages]);
  });

  test.each(['{"query": "cut sho', '[1]', ''])(
    'The model is told of a tool call that cannot be read: %j',
    async (text) => {
      const { asked, handler } = model(invalid(text), invalid('{"limit": 5}'));
      const answer = await repaired(handler);
      expect(answer.tool_calls?.map(({ args }) => args)).toEqual([{ limit: 5 }]);
      const [question, call, refusal] = asked[1]!;
      expect(question).toBe(request.messages[0]);
      expect((call as AIMessage).tool_calls).toMatchObject([{ name: 'search', id: 'call-1', args: {} }]);
      expect(refusal).toMatchObject({ name: 'search', tool_call_id: 'call-1', status: 'error' });
      expect(refusal?.text).toMatch(/^The arguments are not a JSON object: .+\. No tool was called\./);
    },
  );

  test.each([
    ['{"query": "delete everything whe', { query: 'delete everything whe' }],
    ['[1]', [1]],
  ])('A streamed tool call is not made with a part of its arguments: %j', async (text, args) => {
    // A streamed answer is passed on in place of a message, whatever LangChain's types say.
    const chunk = (args: string) =>
      new AIMessageChunk({
        content: '',
        tool_call_chunks: [{ name: 'search', id: 'call-1', index: 0, args }],
      }) as unknown as AIMessage;
    const cut = chunk(text);
    cut.tool_calls = [{ name: 'search', id: 'call-1', args: args as Record<string, unknown> }];
    cut.invalid_tool_calls = [];
    const { asked, handler } = model(cut, chunk('{"query": "all"}'));
    const answer = await repaired(handler);
    expect(asked).toHaveLength(2);
    expect(answer.tool_calls?.map((call) => call.args)).toEqual([{ query: 'all' }]);
  });

  test('A tool call is read if LangChain passes its arguments as a string', async () => {
    // LangChain's types promise something else.
    const args = '{"limit": 5}' as unknown as Record<string, unknown>;
    const { handler } = model(new AIMessage({ content: '', tool_calls: [{ name: 'search', id: 'call-1', args }] }));
    const answer = await repaired(handler);
    expect(answer.tool_calls).toMatchObject([{ id: 'call-1', args: { limit: 5 } }]);
    expect(answer.invalid_tool_calls).toEqual([]);
  });

  test('After two more tries, an answer with an unreadable tool call is returned as it is', async () => {
    const { asked, handler } = model(invalid('{'));
    const answer = await repaired(handler);
    expect(answer.invalid_tool_calls).toHaveLength(1);
    expect(asked).toHaveLength(3);
    const once = model(invalid('{'));
    await repairToolCalls({ maxRetries: 0 }).wrapModelCall(request, once.handler);
    expect(once.asked).toHaveLength(1);
  });

  test('An answer without a broken tool call is not changed', async () => {
    const content = [{ type: 'tool_use', id: 'a', name: 'search', input: '{"limit":"5"}' }];
    const plain = new AIMessage({ content, tool_calls: [{ name: 'search', id: 'a', args: { limit: '5' } }] });
    const { handler } = model(plain);
    const answer = await repaired(handler);
    expect(answer).toBe(plain);
    expect(answer.tool_calls).toEqual([{ name: 'search', id: 'a', args: { limit: '5' } }]);
    expect(answer.content).toEqual([{ type: 'tool_use', id: 'a', name: 'search', input: '{"limit":"5"}' }]);
  });

  test('A streamed tool call without an id or a text keeps the arguments that LangChain has read', async () => {
    const texts = ['{"q": 1,}', '{"q": 2}'].map((args, index) => ({ name: 'search', args, index }));
    const calls = [
      ...[{ q: 1 }, { q: 2 }].map((args) => ({ name: 'search', args })),
      { name: 'all', id: 'c', args: {} },
    ];
    const chunks = [...texts, { name: 'all', id: 'c', args: ' ', index: 2 }];
    const answer = new AIMessageChunk({ content: '', tool_call_chunks: chunks }) as unknown as AIMessage; // as above
    Object.assign(answer, { tool_calls: structuredClone(calls), invalid_tool_calls: [] });
    expect((await repaired(model(answer).handler)).tool_calls).toEqual(calls);
  });

  test.each<[what: string, schema: unknown]>([
    ['declares none', { type: 'object' }],
    ['is a Zod object of none', z.object({})],
    ['requires none', { type: 'object', properties: { limit: {} }, required: [] }],
    ['is a Zod object that requires none', z.object({ limit: z.number().optional() })],
  ])('A tool call without arguments is made if the tool %s', async (_, schema) => {
    for (const text of ['', ' \n', '""']) {
      const { handler } = model(invalid(text));
      const answer = await repaired(handler, { tools: [{ name: 'search', schema }] });
      expect(answer.tool_calls).toMatchObject([{ name: 'search', id: 'call-1', args: {} }]);
      expect(answer.invalid_tool_calls).toEqual([]);
    }
  });

  test.each<[what: string, tool: object]>([
    ['requires some', { name: 'search', schema: { type: 'object', required: ['limit'] } }],
    ['requires some, by Zod', { name: 'search', schema: z.object({ limit: z.number() }) }],
    ['is another', { name: 'find', schema: { type: 'object' } }],
    ['takes no object', { name: 'search', schema: { type: 'string', required: [] } }],
  ])('A tool call without arguments is refused if the tool %s', async (_, tool) => {
    const { asked, handler } = model(invalid(' '), new AIMessage('Done'));
    await repaired(handler, { tools: [tool] });
    expect(asked[1]?.at(-1)?.text).toBe(
      'The arguments are not a JSON object: they are empty. No tool was called. Make all calls of this turn again.',
    );
  });

  test.each([
    ['{"a": 1, "a": 2,}', 'duplicate key "a".'],
    ["{'id': 9007199254740993}", 'the number 9007199254740993 would be rounded.'],
  ])('A tool call with %j is refused with the reason', async (text, problem) => {
    const { asked, handler } = model(invalid(text), new AIMessage('Done'));
    await repaired(handler);
    expect(asked[1]?.at(-1)?.text).toContain(problem);
  });

  test('Every call of a turn with a broken tool call is answered, also in the content blocks', async () => {
    const block = (id: string, input: unknown) => ({ type: 'tool_use', id, name: 'search', input });
    const broken = invalid('{"a": ');
    const first = new AIMessage({
      content: [{ type: 'text', text: 'Searching' }, block('call-0', { limit: 1 }), block('call-1', '{"a": ')],
      tool_calls: [{ name: 'search', id: 'call-0', args: { limit: 1 } }],
      invalid_tool_calls: broken.invalid_tool_calls!,
    });
    const { asked, handler } = model(first, new AIMessage('Done'));
    await repaired(handler);
    const [, call, ...told] = asked[1]!;
    expect((call as AIMessage).tool_calls?.map(({ id, args }) => [id, args])).toEqual([
      ['call-0', { limit: 1 }],
      ['call-1', {}],
    ]);
    expect((call as AIMessage).content).toEqual([
      { type: 'text', text: 'Searching' },
      block('call-0', { limit: 1 }),
      block('call-1', {}),
    ]);
    expect(told.map((each) => [ToolMessage.isInstance(each) && each.tool_call_id, each.text])).toEqual([
      ['call-0', 'Another call of this turn could not be read. No tool was called. Make all calls of this turn again.'],
      ['call-1', expect.stringMatching(/^The arguments are not a JSON object: /)],
    ]);
  });

  test('A tool call is also repaired in the content blocks', async () => {
    const answer = new AIMessage({
      content: [{ type: 'tool_use', id: 'call-1', name: 'search', input: '{"limit": 5,}' }],
      invalid_tool_calls: invalid('{"limit": 5,}').invalid_tool_calls!,
    });
    const { content } = await repaired(model(answer).handler);
    expect(content).toEqual([{ type: 'tool_use', id: 'call-1', name: 'search', input: { limit: 5 } }]);
  });
});
