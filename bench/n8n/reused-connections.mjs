// Loaded into n8n before anything else (NODE_OPTIONS): its MCP Client Tool as it would be if an execution connected and
// listed once for all that it does (n8n#37825), for the nodes whose name says so; every other node is as it was.
import Module from 'node:module';

const load = Module._load;
Module._load = function (request, parent, ...rest) {
  const loaded = load.call(this, request, parent, ...rest);
  if (request.endsWith('/utils') && typeof loaded?.connectMcpClientForCredential === 'function' && !patched.has(loaded))
    patch(loaded);
  return loaded;
};

const patched = new WeakSet();
const marked = 'MCP Client Reused';

function patch(utils) {
  patched.add(utils);
  const { connectMcpClientForCredential: connect, getAllTools } = utils;
  const connections = new Map();
  const lists = new WeakMap();
  utils.connectMcpClientForCredential = async (context, options) => {
    const execution = context.getExecutionId?.();
    if (context.getNode().name !== marked || !execution) return connect(context, options);
    if (!connections.has(execution)) {
      const connecting = connect(context, options).then((connected) => keep(connected));
      connections.set(execution, connecting);
      context.onExecutionFinish?.(async () => {
        connections.delete(execution);
        const { ok, result } = await connecting;
        if (ok) await lists.get(result).close();
      });
    }
    return connections.get(execution);
  };
  utils.getAllTools = (client) => {
    const kept = lists.get(client);
    if (!kept) return getAllTools(client);
    kept.tools ??= getAllTools(client);
    return kept.tools;
  };

  /** Closing after every step of an execution does nothing; the end of the execution closes it. */
  function keep(connected) {
    if (!connected.ok) return connected;
    const client = connected.result;
    lists.set(client, { close: client.close.bind(client), tools: undefined });
    client.close = async () => {};
    return connected;
  }
}
