import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { childrenOf, sourceAt } from './source.js';

export interface RecordedServer {
  /** The file's name without its ending. */
  readonly name: string;
  /** The text of the whole result of tools/list. */
  readonly result: string;
  readonly tools: RecordedTool[];
}

export interface RecordedTool {
  readonly name: string;
  /** The text of `inputSchema` on the wire. */
  readonly inputSchema: string;
}

/** Reads the recorded `tools/list` answers of published servers. */
export function readCorpus(folder: string): RecordedServer[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.map((file) => readServer(file.replace(/\.json$/, ''), readFileSync(join(folder, file), 'utf8')));
}

function readServer(name: string, text: string): RecordedServer {
  const { toolsListLines } = JSON.parse(text) as { toolsListLines: string[] }; // the corpus' own README says so
  const [line, ...more] = toolsListLines;
  if (line === undefined || more.length > 0) throw new Error(`${name}: expected one page, found ${toolsListLines.length}.`);
  const result = sourceAt(line, 'result') ?? '{}';
  const tools = childrenOf(sourceAt(result, 'tools') ?? '[]').map(({ source }) => ({
    name: JSON.parse(sourceAt(source, 'name') ?? '""') as string, // every recorded tool has a name
    inputSchema: sourceAt(source, 'inputSchema') ?? '',
  }));
  return { name, result, tools };
}
