// A server of @modelcontextprotocol/server that runs every call as a task (extension io.modelcontextprotocol/tasks of
// 2026-07-28): `tasks-v2.mjs stdio|http`. The SDK has no tasks; it carries these messages and, over HTTP, checks their
// headers. Over HTTP it prints its URL, and then the requests about tasks.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import {
  createMcpHandler,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { callOf, taskTools, told } from './task-tools.mjs';

const extension = 'io.modelcontextprotocol/tasks';
const tasks = new Map();
const asked = (what) => process.argv[2] === 'http' && console.log(what);
const any = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };

function build() {
  const server = new Server(
    { name: 'tasks', version: '1.0.0' },
    { capabilities: { tools: {}, extensions: { [extension]: {} } } },
  );
  const now = new Date().toISOString();
  const stateOf = (taskId) => {
    const task = tasks.get(taskId);
    if (!task) throw new ProtocolError(-32602, 'Failed to retrieve task: Task not found');
    return { taskId, createdAt: now, lastUpdatedAt: now, ttlMs: 60_000, pollIntervalMs: 100, ...task };
  };
  server.setRequestHandler('tools/list', async () => ({ tools: taskTools }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const capabilities = mcpReq.envelope['io.modelcontextprotocol/clientCapabilities'];
    if (!capabilities?.extensions?.[extension])
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [extension]: {} } } });
    const taskId = `task-${tasks.size + 1}`;
    callOf(params.name, {
      taskId,
      say: (statusMessage) => tasks.set(taskId, { status: 'working', statusMessage }),
      complete: (result) => tasks.set(taskId, { status: 'completed', result }),
      fail: (error) => tasks.set(taskId, { status: 'failed', error }),
      ask: (question) =>
        new Promise((resolve) => {
          tasks.set(taskId, { status: 'input_required', inputRequests: { q: question }, resolve });
        }),
      cancel: (statusMessage) => tasks.set(taskId, { status: 'cancelled', statusMessage }),
    });
    const { status, statusMessage } = tasks.get(taskId);
    return { ...stateOf(taskId), status, statusMessage, resultType: 'task' };
  });
  server.setRequestHandler('tasks/get', { params: any }, async ({ taskId }) => {
    asked(`tasks/get ${taskId}`);
    const { resolve: _, ...state } = stateOf(taskId);
    told(state);
    return state;
  });
  server.setRequestHandler('tasks/update', { params: any }, async ({ taskId }, { mcpReq }) => {
    asked(`tasks/update ${taskId}`);
    tasks.get(taskId).resolve(mcpReq.inputResponses.q); // the SDK puts them here for every method
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params: any }, async ({ taskId }) => {
    asked(`tasks/cancel ${taskId}`);
    tasks.set(taskId, { status: 'cancelled' });
    return {};
  });
  return server;
}

if (process.argv[2] === 'stdio') serveStdio(build, { legacy: 'reject' });
else {
  const handler = createMcpHandler(build, { legacy: 'reject' });
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? Readable.toWeb(request) : undefined;
    const url = `http://${request.headers.host}${request.url}`;
    const answer = await handler.fetch(
      new Request(url, { method: request.method, headers: request.headers, body, duplex: 'half' }),
    );
    if (answer.status === 400) console.log(`refused ${request.headers['mcp-method']}`);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}
