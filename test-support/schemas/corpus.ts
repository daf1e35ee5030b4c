import { readCorpus } from '../servers/corpus.js';

interface CorpusTool {
  readonly server: string;
  readonly name: string;
  readonly inputSchema: unknown;
  readonly description?: unknown;
  readonly annotations?: unknown;
}

/** Every tool of the corpus, parsed from its server's recorded lines. */
export function corpusTools(folder: string): CorpusTool[] {
  return readCorpus(folder).flatMap(({ package: server, toolsListLines }) =>
    toolsListLines.flatMap((line) => {
      const answer = JSON.parse(line) as { result?: { tools?: Omit<CorpusTool, 'server'>[] } };
      return (answer.result?.tools ?? []).map((tool) => ({ ...tool, server }));
    }),
  );
}
