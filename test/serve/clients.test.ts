import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { inFront, program, replaying } from './in-front.js';

/** Problems of users whose clients cannot be changed, reproduced with SDK 1.x, on which those clients are built. */
const { at, calls } = replaying({
  // pubmed-mcp-server: one tool has a Zod object in place of a schema, so LibreChat shows none of its tools.
  pubmed: [
    '{"name":"search","inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}}',
    '{"name":"fetch","inputSchema":{"_def":{"unknownKeys":"strip","typeName":"ZodObject"},"~standard":{"version":1,"vendor":"zod"}}}',
    '{"name":"bare","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#"}}',
    '{"name":"loose","description":null,"inputSchema":{"type":"object","properties":{"any":true}}}',
  ],
  rimap: [
    '{"name":"list","inputSchema":{"type":"object","properties":{"limit":{"type":["integer","null"],"format":"uint","minimum":0}}}}',
  ],
});

describe('the SDK client, which LibreChat and others use', () => {
  test('The SDK client loses the whole list without serve, and only one tool behind it', async () => {
    await using gateway = inFront(at('pubmed'));
    const client = await connected(gateway.transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'bare', 'loose']);
    expect(client.getInstructions()).toContain('"fetch": The inputSchema is a serialised Zod object');
    expect(gateway.log).toContain('bare: exposed with "type": "object" at its root server=server');

    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const direct = await connected(new StreamableHTTPClientTransport(new URL(at('pubmed').url)));
    await expect(direct.listTools()).rejects.toThrow('inputSchema');
    await direct.close();
  });

  test('The SDK client gets a refusal as a tool result, and the server gets no call', async () => {
    await using gateway = inFront(at('rimap'));
    const client = await connected(gateway.transport);
    const { isError, content } = await client.callTool({ name: 'list', arguments: { limit: 'many' } });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain('/limit: must be integer or null, received string');
    expect(calls('rimap')).toEqual([]);
  });
});

test('The published sequential-thinking server accepts "1" for a thought number', async () => {
  const script = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js'));
  await using gateway = inFront(program(script));
  const client = await connected(gateway.transport);
  await client.listTools();
  const thought = { thought: 'a', thoughtNumber: '1', totalThoughts: '2', nextThoughtNeeded: true };
  const { isError, structuredContent } = await client.callTool({ name: 'sequentialthinking', arguments: thought });
  expect(isError).toBeUndefined();
  expect(structuredContent).toMatchObject({ thoughtNumber: 1, totalThoughts: 2 });
});

async function connected(transport: Parameters<Client['connect']>[0]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return client;
}
