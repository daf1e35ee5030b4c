// npm run demo:quick: the demo's conversation in seconds, with the library and without n8n.
import { transformSync } from 'esbuild';
import { jsonSchemaToZod } from 'json-schema-to-zod';
import { z } from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';
import { callTool, connect, modelSchema, resultText } from '../src/internal.js';
import { printConversation } from './conversation.js';
import type { Observed } from './conversation.js';
import { slips, tool } from '../test-support/model/conversation.js';
import { startDemoServer } from '../test-support/demo-server/http.js';
import { tools } from '../test-support/demo-server/tools.js';
import { dim } from './terminal/style.js';

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const server = await startDemoServer();
  try {
    const wire = new Map(tools.map(({ name, inputSchema }) => [name, JSON.stringify(inputSchema)]));
    console.log(dim('A real MCP server over streamable HTTP, and a call with two integers written as strings.'));
    const verbatim = await throughVerbatim(server.url, () => server.calls.at(-1));
    printConversation(wire, tool, verbatim, throughZod());
    console.log(dim('\n"npm run demo" has the same conversation in a real n8n.'));
  } finally {
    await server.stop();
  }
}

async function throughVerbatim(url: string, lastCall: () => Observed['rounds'][number]['received']): Promise<Observed> {
  await using session = await connect({ url });
  const catalogue = await session.listTools();
  const called = catalogue.find(tool);
  if (called === undefined) throw new Error(`The demo server has no tool named ${tool}.`);
  const outcome = await callTool(session, called, slips);
  return {
    name: 'MCP Verbatim',
    told: new Map(catalogue.tools.map((one) => [one.name, JSON.stringify(modelSchema(one))])),
    rounds: [{ sent: slips, received: lastCall(), answer: resultText(outcome.result) }],
  };
}

/** What hosts do that keep tools as Zod: the schema goes to Zod and comes back, and Zod parses the arguments. */
function throughZod(): Observed {
  const converted = new Map(tools.map(({ name, inputSchema }) => [name, asZod(inputSchema)]));
  const parsed = converted.get(tool)?.safeParse(slips);
  const complaints =
    parsed?.error?.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`).join('\n') ?? '';
  return {
    name: 'JSON Schema → Zod → JSON Schema',
    told: new Map([...converted].map(([name, schema]) => [name, JSON.stringify(zodToJsonSchema(schema))])),
    rounds: [{ sent: slips, received: undefined, answer: complaints }],
  };
}

function asZod(schema: object): z.ZodType {
  // The library writes TypeScript source; here it comes from our own schemas.
  const { code } = transformSync(`return ${jsonSchemaToZod(schema)}`, { loader: 'ts' });
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- code of our own schemas
  return (new Function('z', code) as (zod: typeof z) => z.ZodType)(z);
}
