import { readFileSync } from 'node:fs';
import { AIMessage, AIMessageChunk, HumanMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { repairToolCalls, type RepairToolCallsOptions } from '../../src/langchain/index.js';

interface Case {
  title: string;
  options?: RepairToolCallsOptions;
  tools?: { name: string; schema: unknown }[];
  /** The model's answers in turn. */
  answers: ({ content?: unknown } & object)[];
  /** The messages of each request after the first one. */
  again: object[][];
  answer: object;
}

const cases = JSON.parse(readFileSync(new URL('./repair-tool-calls.json', import.meta.url), 'utf8')) as Case[];

const zodSchemas: Readonly<Record<string, unknown>> = {
  'ZOD {}': z.object({}),
  'ZOD optional': z.object({ limit: z.number().optional() }),
  'ZOD required': z.object({ all: z.boolean().optional(), limit: z.number() }),
};

function answerOf({ content = '', ...fields }: Case['answers'][number]): AIMessage {
  // A streamed answer is passed on in place of a message, whatever LangChain's types say.
  const kind: unknown = 'tool_call_chunks' in fields ? AIMessageChunk : AIMessage;
  const made = new (kind as new (fields: object) => AIMessage)({ content });
  return Object.assign(made, structuredClone(fields));
}

/** A message's members, without the words of V8, which differ from one version to the next. */
function plain(message: object): object {
  const about = message as Record<string, unknown>; // a call or an answer
  const names = ['type', 'id', 'name', 'content', 'tool_calls', 'invalid_tool_calls', 'tool_call_id', 'status'];
  const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, about[name]]))).replace(
    /: (Expected|Unexpected|Unterminated) [^.]+\./,
    ': PARSER.',
  );
  return JSON.parse(text) as object;
}

test.each(cases)('Of tool calls whose arguments may not be JSON: $title', async (given) => {
  const { options, tools, answers, again, answer: expected } = given;
  const made = answers.map(answerOf);
  const messages = [new HumanMessage('Find it.')];
  const ofModel = tools?.map(({ name, schema }) => ({ name, schema: zodSchemas[String(schema)] ?? schema }));
  const request = { messages, modelSettings: { temperature: 1 }, ...(ofModel && { tools: ofModel }) };
  const requests: (typeof request)[] = [];
  const answer = await repairToolCalls(options).wrapModelCall(request, (asked) => made[requests.push(asked) - 1]!);
  expect(requests[0]).toBe(request);
  expect(requests.map((each) => ({ ...each, messages }))).toEqual(requests.map(() => request));
  expect(requests.every((each) => each.messages[0] === messages[0])).toBe(true);
  const later = requests.slice(1).map((each) => each.messages.slice(1).map(plain));
  expect({ again: later, answer: plain(answer) }).toEqual({ again, answer: expected });
  expect(answer).toBe(made[requests.length - 1]);
});
