import type { Observed } from './conversation.js';
import type { ModelRequest } from '../test-support/model/model.js';
import { offered } from '../test-support/model/script.js';
import { slips, tool, wrapped } from '../test-support/model/conversation.js';
import type { ReceivedCall } from '../test-support/demo-server/server.js';

/** Tells the two agents' conversations apart in what model and server recorded. */
export function observe(
  wire: Map<string, string>,
  requests: ModelRequest[],
  calls: ReceivedCall[],
): { verbatim: Observed; builtIn: Observed } {
  const isBuiltIn = ({ json }: ModelRequest) =>
    json.tools?.some(({ function: { name } }) => name.startsWith('MCP_Client_')) ?? false;
  const ofBuiltIn = ({ client }: ReceivedCall) => client.startsWith('@n8n/');
  const way = (name: string, requests: ModelRequest[], calls: ReceivedCall[]): Observed => ({
    name,
    schemas: schemasIn(wire, requests[0]),
    rounds: rounds(requests.at(-1), calls),
  });
  return {
    verbatim: way(
      'MCP Verbatim Tool',
      requests.filter((one) => !isBuiltIn(one)),
      calls.filter((one) => !ofBuiltIn(one)),
    ),
    builtIn: way("n8n's MCP Client Tool 1.4", requests.filter(isBuiltIn), calls.filter(ofBuiltIn)),
  };
}

/** The text of each tool's parameters in a request to the model: the body as JSON.stringify wrote it, cut up again. */
function schemasIn(wire: Map<string, string>, request: ModelRequest | undefined): Map<string, string> {
  const texts = new Map<string, string>();
  if (request === undefined) return texts;
  for (const name of wire.keys()) {
    const called = offered(request.json, name);
    const found = request.json.tools?.find((one) => one.function.name === called);
    if (found === undefined) continue;
    const text = JSON.stringify(found.function.parameters);
    // Nothing is claimed that does not stand in the raw body.
    if (request.body.includes(text)) texts.set(name, text);
  }
  return texts;
}

function rounds(last: ModelRequest | undefined, calls: ReceivedCall[]): Observed['rounds'] {
  const answers = (last?.json.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => readable(content));
  const sent: Record<string, unknown>[] = [slips, wrapped];
  return answers.map((answer, index) => ({
    sent: sent[index] ?? {},
    received: calls[index]?.tool === tool ? calls[index] : undefined,
    answer,
  }));
}

/** A tool message's text; n8n writes what a node returned as JSON. */
function readable(content: unknown): string {
  if (typeof content !== 'string') return JSON.stringify(content);
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return content;
  }
}
