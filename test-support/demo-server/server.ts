import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { tools } from './tools.js';
import { violations } from './validate.js';

/** A call as the server received it. */
export interface ReceivedCall {
  /** The name that the client gave itself when it connected. */
  client: string;
  tool: string;
  arguments: Record<string, unknown>;
  /** The violations that the server found, a line each. */
  violations?: string;
}

/**
 * The demo MCP server: rich schemas, its own strict check, and a record of the calls. It uses the SDK's low-level
 * `Server`, because the high-level one writes its own schemas.
 */
export function createDemoServer(onCall: (call: ReceivedCall) => void = () => {}): Server {
  const server = new Server({ name: 'demo', version: '1.0.0' }, { capabilities: { tools: {} } });

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools as never, // the SDK's type requires schemas without $ref at the root; the wire does not
  }));

  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) return failure(`There is no tool named "${params.name}".`);
    const args = params.arguments ?? {};
    const wrong = violations(tool, args);
    const client = server.getClientVersion()?.name ?? '';
    onCall({ client, tool: tool.name, arguments: args, ...(wrong === undefined ? {} : { violations: wrong }) });
    if (wrong !== undefined) return failure(`Invalid arguments:\n${wrong}`);
    return { content: [{ type: 'text', text: `${tool.name}: done.` }] };
  });

  return server;
}

function failure(text: string) {
  return { isError: true, content: [{ type: 'text', text }] };
}
