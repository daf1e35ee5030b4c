import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { tools as demoTools } from '../../test-support/demo-server/tools.js';
import type { CorpusServer } from '../../test-support/servers/corpus.js';
import { cases } from '../cases.js';
import { wireTools } from '../fidelity.js';
import type { WireTool } from './server.js';

/** The tool that the timed conversations call: one that every host understands, so that the calls of all succeed. */
export const called: WireTool = {
  name: 'find_orders',
  description: 'Finds orders by words of their text.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 1, description: 'Words to look for' },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      status: { type: 'string', enum: ['open', 'paid', 'sent'] },
    },
    required: ['query'],
  },
};

/**
 * The called tool and as many others as the count asks for.
 *
 * @param corpus recorded servers, from which the others are taken at even distances; without any, the schemas of the
 *   demo and of the call cases are repeated
 */
export function catalogueOf(count: number, corpus: readonly CorpusServer[]): WireTool[] {
  const others = (corpus.length > 0 ? recorded(corpus) : written()).filter(isConvertible);
  const step = Math.max(1, Math.floor(others.length / (count - 1 || 1)));
  const taken = Array.from({ length: count - 1 }, (_unused, index) => {
    const tool = others[(index * step) % others.length]!;
    return index * step < others.length ? tool : { ...tool, name: `${tool.name}_${index}` };
  });
  return [called, ...taken];
}

/** Those that n8n's own node can list: a single one that it cannot would take all others from it. */
function recorded(corpus: readonly CorpusServer[]): WireTool[] {
  const seen = new Set([called.name]);
  return corpus
    .flatMap(({ toolsListLines }) => wireTools(toolsListLines))
    .filter((tool): tool is WireTool => {
      const name = String(tool.name);
      // Long names would be cut to what providers allow, and then be compared with the wrong tool.
      if (seen.has(name) || !/^[a-zA-Z0-9_-]{1,40}$/.test(name)) return false;
      seen.add(name);
      return ListToolsResultSchema.safeParse({ tools: [tool] }).success;
    });
}

/** A pattern that JavaScript cannot read ends every run with n8n's own node, whichever tool it belongs to. */
function isConvertible({ inputSchema }: WireTool): boolean {
  let readable = true;
  JSON.stringify(inputSchema, (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') readable &&= isPattern(value);
    return value;
  });
  return readable;
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

function written(): WireTool[] {
  return [
    ...demoTools,
    ...cases.map(({ schema }, index) => ({ name: `case_${index}`, description: 'A tool.', inputSchema: schema })),
  ];
}
