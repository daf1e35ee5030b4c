// Connects to servers in its own process: `reach.mts <url>...`. Prints each server's name, or the error, as JSON.
import { connect, type McpError } from '../../src/mcp/index.js';

const outcomes = process.argv.slice(2).map((url) =>
  connect({ url }).then(
    async (session) => {
      await session.close();
      return session.serverInfo;
    },
    (error: unknown) => {
      const { name, code, message, hint } = error as McpError;
      return { name, code, message, hint };
    },
  ),
);
console.log(JSON.stringify(await Promise.all(outcomes)));
