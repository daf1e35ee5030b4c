import { readCorpus } from '../servers/corpus.js';

interface CorpusTool {
  readonly server: string;
  readonly name: string;
  readonly inputSchema: unknown;
}

/** Every tool of the corpus, parsed from the lines that its server answered with. */
export function corpusTools(folder: string): CorpusTool[] {
  return readCorpus(folder).flatMap(({ package: server, toolsListLines }) =>
    toolsListLines.flatMap((line) => {
      const answer = JSON.parse(line) as { result?: { tools?: { name: string; inputSchema: unknown }[] } };
      return (answer.result?.tools ?? []).map(({ name, inputSchema }) => ({ server, name, inputSchema }));
    }),
  );
}
