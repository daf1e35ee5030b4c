import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The recorded answers of one published server to `tools/list`, byte for byte. */
export interface CorpusServer {
  /** The file's name without its ending. */
  name: string;
  package: string;
  version: string;
  toolsListLines: readonly string[];
}

/** @throws if there is none: without recordings every check would pass */
export function readCorpus(folder: string): CorpusServer[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  if (files.length === 0) throw new Error(`Nothing is recorded in ${folder}.`);
  return files.sort().map((file) => ({
    name: file.slice(0, -'.json'.length),
    ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<CorpusServer, 'name'>),
  }));
}
