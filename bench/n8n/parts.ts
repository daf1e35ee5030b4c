import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { WorkflowNode } from '../../test-support/n8n/api.js';
import { shuffled } from '../shuffled.js';
import { called } from './catalogue.js';
import { converse } from './conversation.js';
import { median } from './median.js';
import { startServer } from './server.js';
import type { WireTool } from './server.js';
import type { Stage } from './stage.js';
import { timedNames, waysTo } from './ways.js';

/** A tool that asks no server: what is left of a conversation with it is n8n's own. */
export const local = "n8n's Calculator";
export const partNames = [local, ...timedNames] as const;

/** Milliseconds, medians over the rounds. */
export interface Parts {
  whole: number;
  /** Until the model is asked, from its answer until it is asked again, and from its last answer to the end. */
  before: number;
  between: number;
  after: number;
  /** The time in which the model's server was at work, and the MCP server, without the stream that never ends. */
  model: number;
  server: number;
  /** Median of the rounds' own differences to the conversation that asks no server. */
  added: number;
}

/** The parts of the time of the conversation with one tool and one call, in turns over all ways. */
export async function smallestConversation(
  stage: Stage,
  rounds: number,
): Promise<Record<(typeof partNames)[number], Parts>> {
  await using server = await startServer([called]);
  const ways = await waysTo(server, stage);
  const held = Object.fromEntries(partNames.map((name) => [name, [] as Round[]])) as Record<Name, Round[]>; // one a name
  using exchanges = watchExchanges();
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of shuffled(partNames)) {
      exchanges.take();
      const [node, tool, args] =
        name === local
          ? [calculatorNode, calculator, { input: '1 + 1' }]
          : [ways[name](), called, { query: 'order', limit: 1 }];
      const { started, ms } = await converse(stage, server, node, { tool, args: [args] });
      // The first round loads the nodes' code.
      if (round > 0) held[name].push(roundOf(started, ms, exchanges.take()));
    }
  }
  const of = (name: Name, part: (one: Round, index: number) => number) => median(held[name].map(part));
  return Object.fromEntries(
    partNames.map((name): [Name, Parts] => [
      name,
      {
        whole: of(name, ({ whole }) => whole),
        before: of(name, ({ before }) => before),
        between: of(name, ({ between }) => between),
        after: of(name, ({ after }) => after),
        model: of(name, ({ model }) => model),
        server: of(name, ({ server }) => server),
        added: of(name, ({ whole }, index) => whole - held[local][index]!.whole),
      },
    ]),
  ) as Record<Name, Parts>; // one a name
}

type Name = (typeof partNames)[number];
type Round = Omit<Parts, 'added'>;

export const calculator: WireTool = { name: 'Calculator', inputSchema: { properties: { input: { type: 'string' } } } };
export const calculatorNode: WorkflowNode = {
  name: 'Calculator',
  type: '@n8n/n8n-nodes-langchain.toolCalculator',
  typeVersion: 1,
  position: [300, 200],
  parameters: {},
};

/** One request with its answer, in milliseconds of the clock. */
interface Exchange {
  readonly start: number;
  readonly end: number;
  readonly isModel: boolean;
}

/** Watches every server in this process, so the model and the MCP server. */
function watchExchanges(): Disposable & { take(): Exchange[] } {
  const began = new WeakMap<IncomingMessage, number>();
  let ended: Exchange[] = [];
  const start = (message: unknown) => began.set((message as { request: IncomingMessage }).request, now()); // as Node documents
  const finish = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }; // as above
    if (request.method === 'GET') return;
    const isModel = request.url?.endsWith('/chat/completions') === true;
    ended.push({ start: began.get(request) ?? now(), end: now(), isModel });
  };
  subscribe('http.server.request.start', start);
  subscribe('http.server.response.finish', finish);
  return {
    take() {
      const taken = ended;
      ended = [];
      return taken;
    },
    [Symbol.dispose]() {
      unsubscribe('http.server.request.start', start);
      unsubscribe('http.server.response.finish', finish);
    },
  };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

function roundOf(started: number, whole: number, exchanges: readonly Exchange[]): Round {
  const [first, second, ...more] = exchanges.filter(({ isModel }) => isModel);
  if (!first || !second || more.length > 0)
    throw new Error(`The model was asked ${exchanges.filter(({ isModel }) => isModel).length} times.`);
  return {
    whole,
    before: first.start - started,
    between: second.start - first.end,
    after: started + whole - second.end,
    model: lengthOf([first, second]),
    server: lengthOf(exchanges.filter(({ isModel }) => !isModel)),
  };
}

/** Milliseconds in which any of them was under way. */
function lengthOf(exchanges: readonly Exchange[]): number {
  let length = 0;
  let until = -Infinity;
  for (const { start, end } of exchanges.toSorted((one, other) => one.start - other.start)) {
    length += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return length;
}
