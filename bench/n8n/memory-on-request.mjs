// Loaded into n8n by --import: answers on loopback with the memory that is in use after a collection of garbage.
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const server = createServer((_request, response) => {
  collect();
  response.end(JSON.stringify(process.memoryUsage()));
});
// Other processes that n8n starts inherit this module: the first one has the port.
server.on('error', () => {});
server.listen(Number(process.env.BENCH_MEMORY_PORT), '127.0.0.1').unref();
