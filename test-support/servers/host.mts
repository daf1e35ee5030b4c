// A program that opens a session and then ends without closing it:
// `host.mts <file for the grandchild's pid> <code of the end> [<code before the session>]`.
import { runInThisContext } from 'node:vm';
import { connect } from '../../src/mcp/index.js';
import { stdioServer } from './stdio.js';

const [file, end, begin = ''] = process.argv.slice(2);

runInThisContext(begin);
await connect(stdioServer('has a grandchild', file));
runInThisContext(end!);
