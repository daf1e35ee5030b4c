import type { CorpusServer } from '../../test-support/servers/corpus.js';
import { shuffled } from '../shuffled.js';
import { called, catalogueOf } from './catalogue.js';
import { converse } from './conversation.js';
import type { Conversation } from './conversation.js';
import { delivered } from './delivery.js';
import type { Delivery } from './delivery.js';
import { median } from './median.js';
import { startServer } from './server.js';
import type { Stage } from './stage.js';
import { ours, timedNames, wayNames, waysTo } from './ways.js';
import type { WayName } from './ways.js';

export const toolCounts = [1, 30, 300] as const;
export const callCounts = [1, 5, 20] as const;

/** The conversations with one number of tools and one number of calls. */
export interface Cell {
  tools: number;
  calls: number;
  /** Medians over the rounds. */
  ms: Record<WayName, number>;
  requests: Record<WayName, number>;
  /** The requests of one conversation. */
  wire: Record<WayName, string[]>;
  /** MCP sessions that one conversation begins and does not end. */
  leftOpen: Record<WayName, number>;
  /** Median of the rounds' own ratios to MCP Verbatim Tool. */
  ratio: Record<WayName, number>;
  /** Calls that arrived as the model made them, of all. */
  arrived: Record<WayName, number>;
}

export interface Timing {
  cells: Cell[];
  /** By number of tools. */
  delivery: Map<number, Record<(typeof wayNames)[number], Delivery>>;
}

/** The number of times that each conversation is held; those with 300 tools and many calls take seconds. */
export interface Rounds {
  short: number;
  long: number;
}

/** Every conversation in every way, by turns, so that other load on the machine meets all. */
export async function timing(
  stage: Stage,
  corpus: readonly CorpusServer[],
  rounds: Rounds,
  say: (text: string) => void,
): Promise<Timing> {
  const result: Timing = { cells: [], delivery: new Map() };
  for (const tools of toolCounts) {
    await using server = await startServer(catalogueOf(tools, corpus));
    const ways = await waysTo(server, stage);
    for (const calls of callCounts) {
      say(`${calls} calls, ${tools} tools`);
      const args = Array.from({ length: calls }, (_unused, index) => ({ query: `order ${index}`, limit: index + 1 }));
      const held = await inTurns(tools * calls > 1000 ? rounds.long : rounds.short, (way) =>
        converse(stage, server, ways[way](), { tool: called, args }),
      );
      result.cells.push({ tools, calls, ...summary(held, args) });
      result.delivery.set(
        tools,
        byWay(wayNames, (way) => delivered(server.tools, held[0]![way].told)),
      );
    }
  }
  return result;
}

type Round = Record<WayName, Conversation>;

/** The first round loads the nodes' code, and is not counted. */
async function inTurns(rounds: number, hold: (way: WayName) => Promise<Conversation>): Promise<Round[]> {
  const held: Round[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const conversations: Partial<Round> = {};
    for (const way of shuffled(timedNames)) conversations[way] = await hold(way);
    if (round > 0) held.push(conversations as Round); // each way had its turn
  }
  return held;
}

function summary(held: readonly Round[], args: readonly unknown[]): Omit<Cell, 'tools' | 'calls'> {
  return {
    ms: byWay(timedNames, (way) => median(held.map((round) => round[way].ms))),
    requests: byWay(timedNames, (way) => median(held.map((round) => round[way].requests.length))),
    wire: byWay(timedNames, (way) => held[0]![way].requests),
    leftOpen: byWay(timedNames, (way) => median(held.map((round) => round[way].leftOpen))),
    ratio: byWay(timedNames, (way) => median(held.map((round) => round[way].ms / round[ours].ms))),
    arrived: byWay(
      timedNames,
      (way) => args.filter((one, index) => JSON.stringify(held[0]![way].calls[index]) === JSON.stringify(one)).length,
    ),
  };
}

function byWay<Name extends string, T>(names: readonly Name[], of: (way: Name) => T): Record<Name, T> {
  return Object.fromEntries(names.map((way) => [way, of(way)])) as Record<Name, T>; // one entry a name
}
