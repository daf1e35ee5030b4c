import { type Exchange, type HttpServer, startHttpServer } from './http.js';

/** A server of 2025-11-25 whose tool `ask` asks for a name, and returns it. */
export async function startAskingServer(): Promise<HttpServer & { readonly cancelled: unknown[] }> {
  const waiting = new Map<unknown, (name: unknown) => void>();
  const cancelled: unknown[] = [];
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  const server = await startHttpServer((exchange: Exchange) => {
    const { body, message, plain, response, result, status, stream, verb } = exchange;
    const { method, params = {}, id } = message;
    if (method === 'initialize')
      result({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'asking', version: '1' },
      });
    else if (method === 'tools/list') result({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] });
    else if (method === 'tools/call') {
      const send = stream();
      waiting.set(`q${id}`, (name) => {
        send({ id, result: { content: [{ type: 'text', text: `You are ${String(name)}.` }] } });
        response.end();
      });
      send({ id: `q${id}`, method: 'elicitation/create', params: { message: 'Who are you?', requestedSchema } });
    } else if (method === 'server/discover') status(400);
    else if (verb !== 'POST') plain();
    else {
      if (method === 'notifications/cancelled') cancelled.push(params['requestId']);
      const answer = body['result'] as { content?: { name?: unknown } } | undefined;
      if (answer) waiting.get(body['id'])?.(answer.content?.name);
      status(202);
    }
  });
  return Object.assign(server, { cancelled });
}
