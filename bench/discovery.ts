/**
 * Many tools: `npm run bench:discovery`. The tokens of 50, 300 and 1,000 tools for a model, in LangChain's
 * `createAgent`, with 30 tasks whose model is scripted: it searches with words that were written by hand, describes the tools
 * it found, and calls. It compares all tools at once with the three tools of the option `toolSearch`, the middleware `toolSearch`, and
 * LangChain's own `llmToolSelectorMiddleware`, whose selecting model is scripted to choose right.
 *
 * Needs `npm run fetch:packages` and a build.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Core from '@langchain/core/language_models/chat_models';
import type * as Functions from '@langchain/core/utils/function_calling';
import type * as Schemas from '@langchain/core/utils/json_schema';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type * as Library from '../src/langchain/index.js';
import { requiredPackages } from '../test-support/packages.js';
import { startHttpServer } from '../test-support/servers/http.js';
import { argumentsFor, catalogueOf, type Task, tasks } from './discovery/catalogue.js';

const require = createRequire(join(requiredPackages('test/langchain/hosts/newest'), 'package.json'));
const { BaseChatModel } = require('@langchain/core/language_models/chat_models') as typeof Core;
const { convertToOpenAITool } = require('@langchain/core/utils/function_calling') as typeof Functions;
const { toJsonSchema } = require('@langchain/core/utils/json_schema') as typeof Schemas;
const { mcpTools, toolSearch } = require('mcp-verbatim/langchain') as typeof Library;
// Loaded at run time: its types are not among the project's packages.
const { createAgent, createMiddleware, llmToolSelectorMiddleware } = require('langchain') as Record<
  string,
  (options: object) => { invoke(input: object, config?: object): Promise<unknown> }
>;

interface Told {
  /**
   * Tokens of tools before the first call, and in all turns together; if a model selects tools, its prompt counts, too.
   */
  first: number;
  all: number;
  turns: number;
}

type Bound = { name: string };

/** Plays one task, and counts the tokens of its requests. */
class PlayedModel extends BaseChatModel {
  bound: readonly Bound[] = [];

  constructor(
    readonly task: Task,
    readonly told: Told,
  ) {
    super({});
  }

  override _llmType(): string {
    return 'played';
  }

  override bindTools(tools: unknown[]): PlayedModel {
    const bound = new PlayedModel(this.task, this.told);
    bound.bound = tools as Bound[]; // all tools of this bench have names
    return bound;
  }

  /** The answer of LangChain's selector: the right tools, so that only its cost is measured. */
  override withStructuredOutput(schema: unknown): never {
    const invoke = (messages: unknown) => {
      this.#count([JSON.stringify(messages), JSON.stringify(toJsonSchema(schema as never))]);
      return Promise.resolve({ tools: [this.task.tool] });
    };
    return { invoke } as never;
  }

  override _generate(messages: BaseMessage[]): Promise<never> {
    this.#count(this.bound.map((tool) => JSON.stringify(convertToOpenAITool(tool as never).function)));
    const message = this.#answer(messages);
    return Promise.resolve({ generations: [{ text: '', message }] } as never);
  }

  #count(texts: readonly string[]): void {
    const tokens = Math.ceil(texts.join('').length / 4);
    if (this.told.turns === 0) this.told.first = tokens;
    this.told.all += tokens;
    this.told.turns++;
  }

  #answer(messages: BaseMessage[]): AIMessage {
    const { tool, query } = this.task;
    const has = (name: string) => this.bound.some((each) => each.name === name);
    const answered = messages.filter((message) => message.type === 'tool');
    const last = answered.at(-1);
    if (last && (last.name === tool || last.name === 'call_tool')) return new AIMessage('Done.');
    if (has(tool)) return call(tool, argumentsFor(tool));
    if (!last) return has('search_tools') ? call('search_tools', { query }) : new AIMessage('There is no such tool.');
    if (last.name === 'describe_tools') return call('call_tool', { name: tool, arguments: argumentsFor(tool) });
    return last.text.includes(`${tool}(`) ? call('describe_tools', { names: [tool] }) : new AIMessage('Not found.');
  }
}

function call(name: string, args: Record<string, unknown>): AIMessage {
  return new AIMessage({ content: '', tool_calls: [{ type: 'tool_call', id: 'call_1', name, args }] });
}

type Way = 'all' | 'three tools' | 'toolSearch' | 'llmToolSelector';

async function play(way: Way, url: string, task: Task): Promise<Told> {
  const told: Told = { first: 0, all: 0, turns: 0 };
  const model = new PlayedModel(task, told);
  await using tools = await mcpTools({ url }, { toolSearch: way === 'three tools' ? 'on' : 'off' });
  const middleware = {
    all: [],
    'three tools': [],
    toolSearch: [() => createMiddleware!(toolSearch(tools))],
    llmToolSelector: [() => llmToolSelectorMiddleware!({ maxTools: 5, model })],
  }[way].map((make) => make());
  const agent = createAgent!({ model, tools: way === 'toolSearch' ? [] : tools, middleware });
  await agent.invoke({ messages: [{ role: 'user', content: task.query }] }, { recursionLimit: 20 });
  return told;
}

function mean(values: readonly number[]): number {
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10;
}

async function measure(way: Way, count: number): Promise<string> {
  const tools = catalogueOf(count);
  const received: string[] = [];
  const server = await startHttpServer(({ message, result, plain }) => {
    if (message.method === 'tools/list') {
      result({ tools });
      return;
    }
    if (message.method === 'tools/call') received.push(JSON.stringify(message.params));
    plain();
  });
  const all: Told[] = [];
  let right = 0;
  for (const task of tasks) {
    received.length = 0;
    all.push(await play(way, server.url, task));
    const sent = received.map((text) => JSON.parse(text) as { name: string; arguments: Record<string, unknown> });
    const isRight =
      sent.length === 1 && sent[0]?.name === task.tool && !JSON.stringify(sent[0].arguments).includes('"2"');
    if (isRight) right++;
    else console.error(`${way}, ${count}: ${task.query}`);
  }
  await server.close();
  const first = Math.max(...all.map((told) => told.first));
  const turns = all.map((told) => told.turns);
  const cells = [
    count,
    way,
    first,
    Math.round(mean(all.map((told) => told.all))),
    mean(turns),
    Math.max(...turns),
    `${right} of ${tasks.length}`,
  ];
  return `| ${cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell)).join(' | ')} |`;
}

async function main(): Promise<void> {
  console.log(
    '| tools | way | tokens before the first call, at most | tokens of a task | turns | at most | calls that arrive right |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const count of [50, 300, 1_000]) {
    for (const way of ['all', 'three tools', 'toolSearch', 'llmToolSelector'] as const) {
      console.log(await measure(way, count));
    }
  }
}

void main();
