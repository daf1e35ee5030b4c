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
  const { name, title, description, inputSchema } = tool;
  return {
    json: { name, ...(title && { title }), ...(description && { description }), signature: signature({ inputSchema }) },
  };
}

function everything(session: Session, catalogue: Catalogue): object {
  const { serverInfo, protocolVersion, instructions } = session;
  return {
    server: { ...serverInfo, protocolVersion, ...(instructions === undefined ? {} : { instructions }) },
    tools: catalogue.tools.map((tool) => tool.definition),
    skipped: catalogue.skipped.map(({ name, position, reason, definition }) => ({
      ...(name === undefined ? {} : { name }),
      position,
      reason,
      definition,
    })),
    notes: catalogue.tools.flatMap((tool) => tool.notes.map((note) => ({ tool: tool.name, ...note }))),
  };
}
