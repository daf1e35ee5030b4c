import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CorpusTool {
  readonly server: string;
  readonly name: string;
  readonly inputSchema: unknown;
}

/** Every tool of the corpus, parsed from the lines that its server answered with. */
export function corpusTools(folder: string): CorpusTool[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => {
      const { package: server, toolsListLines } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
        package: string;
        toolsListLines: string[];
      };
      return toolsListLines.flatMap((line) => {
        const answer = JSON.parse(line) as { result?: { tools?: { name: string; inputSchema: unknown }[] } };
        return (answer.result?.tools ?? []).map(({ name, inputSchema }) => ({ server, name, inputSchema }));
      });
    });
}
