import type { INodeExecutionData } from 'n8n-workflow';
import { type Catalogue, type CatalogueTool, type Session, signature } from '../../../src/internal.js';
import { serverName } from '../../connection/session.js';
import { hintNone, hintSkipped } from '../../hints.js';
import { toJson } from '../../items.js';
import { logListed } from '../../log.js';
import type { OperationInput } from '../operation.js';

/** The tools of the server, as it describes them. */
export async function listTools({
  context,
  session,
  itemIndex,
  options,
}: OperationInput): Promise<INodeExecutionData[]> {
  const catalogue = await session.listTools(options.call);
  logListed(context, catalogue);
  hintSkipped(context, catalogue);
  if (catalogue.tools.length === 0) hintNone(context, serverName(session), 'tools that can be called');
  switch (context.getNodeParameter('output', itemIndex, 'each')) {
    case 'single':
      return [{ json: toJson(everything(session, catalogue)) }];
    case 'compact':
      return catalogue.tools.map(compact);
    default:
      return catalogue.tools.map((tool) => ({ json: toJson(tool.definition) }));
  }
}

function compact(tool: CatalogueTool): INodeExecutionData {
  const { name, title, description } = tool;
  return { json: toJson({ name, title, description, signature: signature(tool) }) };
}

function everything({ serverInfo, protocolVersion, instructions }: Session, { tools, skipped }: Catalogue): object {
  return {
    server: { ...serverInfo, protocolVersion, instructions },
    tools: tools.map(({ definition }) => definition),
    skipped,
    notes: tools.flatMap(({ name, notes }) => notes.map((note) => ({ tool: name, ...note }))),
  };
}
