// A program that opens a session and then ends without closing it:
// `host.mts <address of the server> <code of the end> [<code before the session>]`.
import { runInThisContext } from 'node:vm';
import { connect, type StdioAddress } from '../../src/mcp/index.js';

const [address, end, begin = ''] = process.argv.slice(2);

runInThisContext(begin);
await connect(JSON.parse(address!) as StdioAddress); // of the test that starts this
runInThisContext(end!);
