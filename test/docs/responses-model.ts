import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A request to OpenAI's responses API, as far as it is read here. */
interface ResponsesRequest {
  model: string;
  input: { type?: string }[];
  tools?: { name?: string }[];
}

/**
 * An endpoint with OpenAI's responses API on loopback, which `'openai:gpt-4.1'` of the docs uses: a model that calls one of
 * its tools, once, and then says "Done."
 *
 * @param calls the arguments of the call by the tool's name
 */
export async function startResponsesModel(calls: Record<string, object>) {
  const http = createServer((request, response) => {
    void json(request).then((body) => {
      const reply = replyTo(body as ResponsesRequest, calls); // the OpenAI client under test sends nothing else
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(reply));
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

function replyTo({ model, input, tools = [] }: ResponsesRequest, calls: Record<string, object>): object {
  const hasCalled = input.some(({ type }) => type === 'function_call_output');
  const called = tools.map(({ name = '' }) => name).find((name) => argumentsFor(name, calls) !== undefined);
  const output =
    hasCalled || called === undefined
      ? { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.', annotations: [] }] }
      : {
          type: 'function_call',
          call_id: 'call_1',
          name: called,
          arguments: JSON.stringify(argumentsFor(called, calls)),
        };
  return {
    id: `resp_${input.length}`,
    object: 'response',
    created_at: 1763600000,
    model,
    status: 'completed',
    output: [{ id: `item_${input.length}`, status: 'completed', ...output }],
    usage: {
      ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
    },
  };
}

/** Clients put a server's name in front. */
function argumentsFor(name: string, calls: Record<string, object>): object | undefined {
  return Object.entries(calls).find(([tool]) => name === tool || name.endsWith(`__${tool}`))?.[1];
}
