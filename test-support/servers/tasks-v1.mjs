// A server of @modelcontextprotocol/sdk with its experimental tasks (2025-11-25): `tasks-v1.mjs stdio|http`. Over HTTP
// it prints its URL, and then the requests about tasks.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ElicitResultSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { callOf, taskTools, told } from './task-tools.mjs';

function build() {
  const taskStore = new InMemoryTaskStore();
  const server = new Server(
    { name: 'tasks', version: '1.0.0' },
    {
      capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
      taskStore,
      taskMessageQueue: new InMemoryTaskMessageQueue(),
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: taskTools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { taskStore: store, sendRequest } = extra;
    const { progressToken } = extra._meta ?? {};
    if (!params.task) throw new McpError(ErrorCode.MethodNotFound, 'This tool runs as a task only.');
    const task = await store.createTask({ ttl: 60_000, pollInterval: 100 });
    const { taskId } = task;
    let pending = Promise.resolve();
    const then = (work) => (pending = pending.then(work).catch(() => {}));
    void callOf(params.name, {
      taskId,
      say: (message) => then(() => store.updateTaskStatus(taskId, 'working', message)),
      complete: (result) => then(() => store.storeTaskResult(taskId, 'completed', result)),
      fail: ({ message }) =>
        then(() =>
          store.storeTaskResult(taskId, 'failed', { isError: true, content: [{ type: 'text', text: message }] }),
        ),
      ask: async (question) => {
        await then(() => store.updateTaskStatus(taskId, 'input_required'));
        const report = { method: 'notifications/progress', params: { progressToken, progress: 50 } };
        // Over HTTP the SDK sends this report into the call's response, which has already ended.
        if (progressToken !== undefined) extra.sendNotification(report).catch(() => {});
        return sendRequest(question, ElicitResultSchema, { relatedTask: { taskId } });
      },
      cancel: (message) => then(() => store.updateTaskStatus(taskId, 'cancelled', message)),
      // A task may be cancelled before its question is answered.
    }).catch(() => {});
    return { task };
  });
  return server;
}

/** Called with the task messages that are sent. */
function watched(transport) {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (message.result?.taskId) told(message.result);
    return send(message, options);
  };
  return transport;
}

const sessions = new Map();

async function answer(request, response) {
  let transport = sessions.get(request.headers['mcp-session-id']);
  if (!transport) {
    transport = watched(
      new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
      }),
    );
    const server = build();
    await server.connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      if (/^tasks\//.test(message.method)) console.log(`${message.method} ${message.params.taskId}`);
      onmessage(message, extra);
    };
  }
  await transport.handleRequest(request, response);
}

if (process.argv[2] === 'stdio') await build().connect(watched(new StdioServerTransport()));
else {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}
