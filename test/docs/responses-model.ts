import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { answersCall, played } from '../../src/observe/play.js';

/**
 * An endpoint with OpenAI's Responses API on loopback, for `'openai:gpt-4.1'` of the docs. Its model calls one of its
 * tools once, and then says "Done."
 * @param calls the arguments of the call by the tool's name
 */
export async function startResponsesModel(calls: Record<string, object>) {
  const http = createServer((request, response) => {
    void json(request).then((body) => {
      const { tools = [] } = body as { tools?: { name: string }[] }; // the OpenAI client under test sends nothing else
      const [call] = answersCall(body) ? [] : tools.flatMap(({ name }) => callOf(name, calls));
      const { type, text } = played('responses', call ?? { text: 'Done.' }, body, request.url ?? '/');
      response.writeHead(200, { 'content-type': type }).end(text);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo; // a TCP server's address is never a string
  const stop = async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}/v1`, stop };
}

/** Clients put a server's name in front of the tool's. */
function callOf(name: string, calls: Record<string, object>): { name: string; arguments: string }[] {
  const args = Object.entries(calls).find(([tool]) => name === tool || name.endsWith(`__${tool}`))?.[1];
  return args === undefined ? [] : [{ name, arguments: JSON.stringify(args) }];
}
