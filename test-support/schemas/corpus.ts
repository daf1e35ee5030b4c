import { readCorpus } from '../servers/corpus.js';

interface CorpusTool {
  readonly server: string;
  readonly name: string;
  readonly inputSchema: unknown;
  readonly description?: unknown;
  readonly annotations?: unknown;
}

/** Test files share a process, and parsing takes a quarter of a second. */
const known = new Map<string, readonly CorpusTool[]>();

/** Every tool of the corpus, parsed from its server's recorded lines. */
export function corpusTools(folder: string): CorpusTool[] {
  const tools = known.get(folder) ?? parsed(folder);
  known.set(folder, tools);
  return [...tools];
}

function parsed(folder: string): CorpusTool[] {
  return readCorpus(folder).flatMap(({ package: server, toolsListLines }) =>
    toolsListLines.flatMap((line) => {
      const answer = JSON.parse(line) as { result?: { tools?: Omit<CorpusTool, 'server'>[] } };
      return (answer.result?.tools ?? []).map((tool) => ({ ...tool, server }));
    }),
  );
}
