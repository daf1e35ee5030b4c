import { readCorpus } from '../../../test-support/servers/corpus.js';
import { childrenOf, sourceAt } from '../../../test-support/n8n/source.js';

export interface RecordedServer {
  readonly name: string;
  readonly result: string;
  readonly tools: RecordedTool[];
}

export interface RecordedTool {
  readonly name: string;
  readonly text: string;
  readonly inputSchema: string;
}

/** The recorded `tools/list` answers of published servers, cut up but not parsed. Each has one page. */
export function recordedServers(folder: string): RecordedServer[] {
  return readCorpus(folder).map(({ name, toolsListLines: [line, ...more] }) => {
    if (line === undefined || more.length > 0) throw new Error(`${name}: expected one page, found ${more.length + 1}.`);
    const result = sourceAt(line, 'result') ?? '{}';
    const tools = childrenOf(sourceAt(result, 'tools') ?? '[]').map(({ source }) => ({
      name: JSON.parse(sourceAt(source, 'name') ?? '""') as string, // every recorded tool has a name
      text: source,
      inputSchema: sourceAt(source, 'inputSchema') ?? '',
    }));
    return { name, result, tools };
  });
}
