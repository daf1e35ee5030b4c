import type { CorpusServer } from '../test-support/servers/corpus.js';
import type { ReplayServer } from '../test-support/servers/replay.js';
import { fateOf, keywordCounts, type Fate } from '../src/projections/index.js';
import type { Convert } from './converters.js';
import type { Peer } from './peer.js';

export interface Fidelity {
  fates: Record<Fate, number>;
  /** How many uses of each keyword the schemas lost on the way, of those tools that were offered. */
  lostKeywords: Map<string, number>;
  /** How many there were of each on the wire. */
  keywords: Map<string, number>;
}

interface WireTool {
  name?: unknown;
  inputSchema?: unknown;
}

export async function peerFidelity(
  peer: Peer,
  corpus: readonly CorpusServer[],
  server: ReplayServer,
): Promise<Fidelity> {
  const result = empty();
  for (const { name, toolsListLines } of corpus) {
    const told = await peer.list(server.url(name)).catch(() => []);
    const byName = new Map(told.map((tool) => [tool.name, tool.parameters]));
    // Peers rename what providers would refuse; position then tells which is which.
    wireTools(toolsListLines).forEach((tool, index, all) => {
      const parameters =
        byName.get(String(tool.name)) ?? (told.length === all.length ? told[index]?.parameters : undefined);
      count(result, tool.inputSchema, parameters);
    });
  }
  return result;
}

export function converterFidelity(convert: Convert, corpus: readonly CorpusServer[]): Fidelity {
  const result = empty();
  for (const { toolsListLines } of corpus) {
    for (const { inputSchema } of wireTools(toolsListLines)) count(result, inputSchema, attempt(convert, inputSchema));
  }
  return result;
}

export function wireTools(lines: readonly string[]): WireTool[] {
  // The corpus holds answers to tools/list and nothing else.
  return lines.flatMap((line) => (JSON.parse(line) as { result: { tools: WireTool[] } }).result.tools);
}

function attempt(convert: Convert, schema: unknown): unknown {
  try {
    // Converters may write on what they are given.
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
  if (told === undefined) return;
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
