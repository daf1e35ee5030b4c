// A program that opens a session and ends without closing it: `host.mts <server address> <code of the end> [<code
// before the session>]`.
import { runInThisContext } from 'node:vm';
import { connect, type StdioAddress } from '../../src/mcp/index.js';

const [address, end, begin = ''] = process.argv.slice(2);

runInThisContext(begin);
await connect(JSON.parse(address!) as StdioAddress); // passed by the test
runInThisContext(end!);
