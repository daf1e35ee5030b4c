import type { INodeExecutionData } from 'n8n-workflow';
import type { Catalogue, CatalogueTool, Session } from '../../../src/index.js';
import { serverName } from '../../connection/server-name.js';
import { hintNone, hintSetAside } from '../../hints.js';
import { library } from '../../library.js';
import type { OperationInput } from '../execute.js';
import { toJson } from '../json.js';

/** The tools of the server, as it describes them. */
export async function listTools({
  context,
  session,
  itemIndex,
  options,
}: OperationInput): Promise<INodeExecutionData[]> {
  const catalogue = await session.listTools(options.call);
  hintSetAside(context, catalogue);
  if (catalogue.tools.length === 0) hintNone(context, serverName(session), 'tools that can be called');
  switch (context.getNodeParameter('output', itemIndex, 'each')) {
    case 'single':
      return [{ json: toJson(everything(session, catalogue)) }];
    case 'compact':
      return await Promise.all(catalogue.tools.map(compact));
    default:
      return catalogue.tools.map((tool) => ({ json: toJson(tool.definition) }));
  }
}

async function compact(tool: CatalogueTool): Promise<INodeExecutionData> {
  const { signature } = await library();
  const { name, title, description, inputSchema } = tool;
  return {
    json: { name, ...(title && { title }), ...(description && { description }), signature: signature(inputSchema) },
  };
}

function everything(session: Session, catalogue: Catalogue): object {
  const { serverInfo, protocolVersion, instructions } = session;
  return {
    server: { ...serverInfo, protocolVersion, ...(instructions === undefined ? {} : { instructions }) },
    tools: catalogue.tools.map((tool) => tool.definition),
    setAside: catalogue.setAside.map(({ name, position, reason, definition }) => ({
      ...(name === undefined ? {} : { name }),
      position,
      reason,
      definition,
    })),
    notes: catalogue.tools.flatMap((tool) => tool.notes.map((note) => ({ tool: tool.name, ...note }))),
  };
}
