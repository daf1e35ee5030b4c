import type { CorpusServer } from '../test-support/servers/corpus.js';
import type { ReplayServer } from '../test-support/servers/replay.js';
import { connect } from '../src/internal.js';
import { walkSchemas } from '../src/json/index.js';
import { Observation, observe, type ObservedTool } from '../src/observe/index.js';
import { fateOf, type Fate } from '../src/projections/index.js';
import { asked, CannotMeasureError } from './control.js';
import type { Convert } from './converters.js';

export interface Fidelity {
  fates: Record<Fate, number>;
  /** The uses of each keyword that the schemas of sent tools lost on the way. */
  lostKeywords: Map<string, number>;
  /** The uses of each keyword on the wire. */
  keywords: Map<string, number>;
}

/** The fates of the tools of each recorded server. */
export type ByServer = Map<CorpusServer, Fidelity>;

interface WireTool {
  name?: unknown;
  inputSchema?: unknown;
}

/** Makes an agent ask a model at the second address, with the tools of the server at the first. */
export type Ask = (serverUrl: string, modelUrl: string) => Promise<unknown>;

/**
 * The tools of recorded servers as agents send them to a model, seen by `mcp-verbatim observe`.
 *
 * @param server also plays `controlServer`
 * @returns the fates of the tools of each server
 * @throws CannotMeasureError if the agent does not send the control server's tool, or does not ask each server
 */
export async function observedFidelity(
  who: string,
  ask: Ask,
  corpus: readonly CorpusServer[],
  server: ReplayServer,
): Promise<ByServer> {
  const control = await observedTools(who, ask, server, 'control');
  if (control.tools[0]?.sentSchema === undefined)
    throw new CannotMeasureError(who, control.answer instanceof Error ? control.answer : 'a plain tool was not sent');
  const found: ByServer = new Map();
  for (const each of corpus) {
    const result = empty();
    const { tools } = await observedTools(who, ask, server, each.name);
    for (const { schema, sentSchema, fate } of tools) {
      result.fates[fate]++;
      if (sentSchema !== undefined) countKeywords(result, JSON.parse(schema), JSON.parse(sentSchema));
    }
    // A tool that cannot be called counts as lost.
    result.fates.lost += wireTools(each.toolsListLines).length - tools.length;
    found.set(each, result);
  }
  return found;
}

async function observedTools(
  who: string,
  ask: Ask,
  server: ReplayServer,
  name: string,
): Promise<{ tools: readonly ObservedTool[]; answer: unknown }> {
  const url = server.url(name);
  const session = await connect({ url });
  const { tools } = await session.listTools();
  await session.close();
  const observation = new Observation(tools.map((tool) => ({ server: undefined, tool })));
  const end = new AbortController();
  let answer: Promise<unknown> | undefined;
  const onListening = (origin: string) => {
    answer = asked(who, server, name, () => ask(url, `${origin}/v1`)).finally(() => end.abort());
    answer.catch(() => {}); // awaited below
  };
  const played = { upstream: undefined, call: undefined, port: 0, note: () => {} };
  await observe(observation, { ...played, signal: end.signal, onListening });
  return { tools: observation.tools, answer: await answer };
}

export function converterFidelity(convert: Convert, corpus: readonly CorpusServer[]): ByServer {
  return new Map(
    corpus.map((each) => {
      const result = empty();
      for (const { inputSchema } of wireTools(each.toolsListLines))
        count(result, inputSchema, attempt(convert, inputSchema));
      return [each, result];
    }),
  );
}

/** The sum over all servers, or over the wanted ones. */
export function fidelityOf(found: ByServer, isWanted: (server: CorpusServer) => boolean = () => true): Fidelity {
  const sum = empty();
  for (const [server, { fates, lostKeywords, keywords }] of found) {
    if (!isWanted(server)) continue;
    for (const fate of Object.keys(sum.fates) as Fate[]) sum.fates[fate] += fates[fate]; // its own keys
    for (const [keyword, uses] of lostKeywords) add(sum.lostKeywords, keyword, uses);
    for (const [keyword, uses] of keywords) add(sum.keywords, keyword, uses);
  }
  return sum;
}

export function wireTools(lines: readonly string[]): WireTool[] {
  // The corpus holds answers to tools/list and nothing else.
  return lines.flatMap((line) => (JSON.parse(line) as { result: { tools: WireTool[] } }).result.tools);
}

function attempt(convert: Convert, schema: unknown): unknown {
  try {
    // Converters may modify their input.
    return JSON.parse(JSON.stringify(convert(structuredClone(schema))));
  } catch {
    return undefined;
  }
}

function empty(): Fidelity {
  return {
    fates: { identical: 0, reordered: 0, annotations: 0, meaning: 0, lost: 0 },
    lostKeywords: new Map(),
    keywords: new Map(),
  };
}

function count(result: Fidelity, wire: unknown, told: unknown): void {
  result.fates[fateOf(wire, told)]++;
  if (told !== undefined) countKeywords(result, wire, told);
}

function countKeywords(result: Fidelity, wire: unknown, told: unknown): void {
  const left = keywordCounts(told);
  for (const [keyword, uses] of keywordCounts(wire)) {
    add(result.keywords, keyword, uses);
    const lost = uses - (left.get(keyword) ?? 0);
    if (lost > 0) add(result.lostKeywords, keyword, lost);
  }
}

function add(counts: Map<string, number>, keyword: string, uses: number): void {
  counts.set(keyword, (counts.get(keyword) ?? 0) + uses);
}

/** How often each keyword stands in a schema. */
function keywordCounts(schema: unknown): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { schema: part } of walkSchemas(schema)) {
    for (const keyword of Object.keys(part)) counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
  }
  return counts;
}
