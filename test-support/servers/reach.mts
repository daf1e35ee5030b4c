// Connects to a server in a process of its own: `reach.mts <url>`. Prints the server's name, or the error, as JSON.
import { connect, type McpError } from '../../src/mcp/index.js';

const outcome = await connect({ url: process.argv[2]! }).then(
  async (session) => {
    await session.close();
    return session.serverInfo;
  },
  (error: unknown) => {
    const { name, code, message, hint } = error as McpError;
    return { name, code, message, hint };
  },
);
console.log(JSON.stringify(outcome));
