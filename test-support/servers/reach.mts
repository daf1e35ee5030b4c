// Connects to a server in a process of its own: `reach.mts <url>`. Prints the server's name, or the error, as JSON.
import { connect } from '../../src/mcp/index.js';

const outcome = await connect({ url: process.argv[2]! }).then(
  async (session) => {
    await session.close();
    return session.serverInfo;
  },
  ({ name, code, message, hint }) => ({ name, code, message, hint }),
);
console.log(JSON.stringify(outcome));
