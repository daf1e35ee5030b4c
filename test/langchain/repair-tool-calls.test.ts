import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { repairToolCalls } from '../../src/langchain/index.js';

/** A model that gives these answers in turn, and what it was asked. */
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

const request = { messages: [new HumanMessage('Find it.')], tools: ['search'] };

function invalid(args: string) {
  return new AIMessage({
    content: '',
    invalid_tool_calls: [{ type: 'invalid_tool_call', name: 'search', id: 'call-1', args, error: 'Malformed args.' }],
  });
}

describe('a tool call whose arguments are no JSON', () => {
  test.each([
    ["{'limit': 5, 'all': True}", { limit: 5, all: true }],
    ['{"limit": 5,}', { limit: 5 }],
    ['```json\n{"limit": 5}\n```', { limit: 5 }],
    ['"{\\"limit\\": 5}"', { limit: 5 }],
  ])('is read as the model wrote it: %j', async (text, args) => {
    const { asked, handler } = model(invalid(text));
    const answer = await repairToolCalls().wrapModelCall(request, handler);
    expect(answer.tool_calls).toEqual([{ type: 'tool_call', name: 'search', id: 'call-1', args }]);
    expect(answer.invalid_tool_calls).toEqual([]);
    expect(asked).toEqual([request.messages]);
  });

  test.each(['{"query": "cut sho', 'limit=5', '[1]', '5', ''])('is told to the model: %j', async (text) => {
    const { asked, handler } = model(invalid(text), invalid('{"limit": 5}'));
    const answer = await repairToolCalls().wrapModelCall(request, handler);
    expect(answer.tool_calls?.map(({ args }) => args)).toEqual([{ limit: 5 }]);
    const [question, call, refusal] = asked[1]!;
    expect(question).toBe(request.messages[0]);
    expect((call as AIMessage).tool_calls).toMatchObject([{ name: 'search', id: 'call-1', args: {} }]);
    expect(refusal).toMatchObject({ tool_call_id: 'call-1', status: 'error' });
    expect(refusal?.text).toMatch(/^The arguments are not a JSON object: .+\. No tool was called\./);
  });

  test('ends with the answer as it is after two more tries', async () => {
    const { asked, handler } = model(invalid('{'));
    const answer = await repairToolCalls().wrapModelCall(request, handler);
    expect(answer.invalid_tool_calls).toHaveLength(1);
    expect(asked).toHaveLength(3);
    const once = model(invalid('{'));
    await repairToolCalls({ maxRetries: 0 }).wrapModelCall(request, once.handler);
    expect(once.asked).toHaveLength(1);
  });

  test('does not touch an answer without one', async () => {
    const plain = new AIMessage({ content: 'Hello', tool_calls: [{ name: 'search', id: 'a', args: { limit: '5' } }] });
    const { handler } = model(plain);
    const answer = await repairToolCalls().wrapModelCall(request, handler);
    expect(answer).toBe(plain);
    expect(answer.tool_calls).toEqual([{ name: 'search', id: 'a', args: { limit: '5' } }]);
  });
});
