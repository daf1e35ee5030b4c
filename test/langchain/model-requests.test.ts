import { readFileSync } from 'node:fs';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { isObject } from '../../src/json/index.js';
import { McpTool, toolSearch, type ToolSearchOptions, verbatimTools } from '../../src/langchain/index.js';
import { schemaFor } from '../../src/programs/model-schema.js';

interface Case {
  title: string;
  search?: ToolSearchOptions;
  /** `of class` is the name of a model's class. */
  request: { model?: unknown } & object;
  history?: ({ type: 'human' | 'ai' | 'tool' } & object)[];
  comes: object;
}

const { tools, cases } = JSON.parse(
  readFileSync(new URL('./model-requests.json', import.meta.url), 'utf8'),
  (_, value: unknown) =>
    isObject(value) && 'of class' in value ? { ...value, getName: () => value['of class'] } : value,
) as {
  tools: { name: string; server: string; inputSchema: Record<string, unknown>; extras?: object }[];
  cases: Case[];
};

const own = { name: 'own', of: 'the program' };

function toolOf({ name, server, inputSchema, extras }: (typeof tools)[number]): McpTool {
  const about = { name, description: `Does ${name}.`, server, options: {}, extras: { ...extras } };
  const call = () => Promise.reject(new Error('Nothing is called.'));
  const tool = { name, inputSchema, annotations: {}, notes: [] };
  const schema = schemaFor(inputSchema, { client: 'langchain' }, () => {});
  return new McpTool({ ...about, tool: tool as never, schema, call });
}

function messageOf({ type, ...fields }: NonNullable<Case['history']>[number]): BaseMessage {
  const kinds = { human: HumanMessage, ai: AIMessage, tool: ToolMessage };
  return new (kinds[type] as unknown as new (fields: object) => BaseMessage)(fields);
}

/** The members of messages and tools; those that are handed on as they are have a mark. */
function seen(value: unknown, given: readonly unknown[]): object {
  const { type, name, description, schema, extras, id, content, artifact, status, tool_call_id, ...more } = {
    ...(value as Record<string, unknown>),
  };
  const members = {
    type,
    name,
    description,
    schema,
    extras,
    id,
    content,
    artifact,
    status,
    tool_call_id,
    of: more['of'],
  };
  return given.includes(value) ? { isSame: true, name, id } : members;
}

test.each(cases)('A model gets this request: $title', ({ search, request, history = [], comes }) => {
  const all = tools.map(toolOf);
  const middleware = search ? toolSearch(all, search) : verbatimTools(all);
  const messages = history.map(messageOf);
  const { tools: bound } = middleware;
  expect(all.map((tool) => Object.assign({}, tool).schema)).toEqual(all.map(({ schema }) => schema)); // a copy has it, too
  const given = { ...request, messages, tools: [...bound, own] };
  const made = middleware.wrapModelCall(given, (accepted) => accepted);
  const whole = {
    ...{ name: middleware.name, bound: bound.map((tool) => (all.includes(tool) ? tool.name : seen(tool, []))) },
    isSame: made === given,
    request: {
      ...made,
      messages: made.messages.map((message) => seen(message, messages)),
      tools: made.tools.map((tool) => seen(tool, given.tools)),
    },
  };
  expect(JSON.parse(JSON.stringify(whole))).toEqual(JSON.parse(JSON.stringify(comes)));
});
