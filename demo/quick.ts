// npm run demo:quick: a schema and a call of the README's first screen, through three clients, in seconds.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { serveOverHttp } from '../test-support/demo-server/http.js';
import { violations } from '../test-support/demo-server/validate.js';
import { throughAdapters, throughN8nConverters, throughVerbatim } from './quick/clients.js';
import type { Outcome } from './quick/clients.js';
import { call, searchIssues } from './quick/tool.js';
import { foldJson } from './terminal/json.js';
import { bold, dim, green, pageWidth, red } from './terminal/style.js';

const received: unknown[] = [];

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const server = await serveOverHttp(strictServer);
  try {
    print('A server on this machine describes its tool', [], searchIssues.inputSchema);
    const calls: [Outcome, unknown[]][] = [];
    for (const through of [throughVerbatim, throughAdapters]) {
      const outcome = await through(server.url);
      calls.push([outcome, received.splice(0)]);
    }
    for (const outcome of [...calls.map(([each]) => each), throughN8nConverters()]) printSchema(outcome);
    console.log(`\n${bold('The model calls it with')} ${JSON.stringify(call)}`);
    for (const [outcome, arrived] of calls) printCall(outcome, arrived);
    console.log(dim("\nOf n8n's node only its converters run here. `npm run demo` runs both nodes in a real n8n."));
  } finally {
    await server.stop();
  }
}

/** A server that checks arguments itself, with Ajv, and repairs nothing. */
function strictServer(): Server {
  const server = new Server({ name: 'issues', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [searchIssues] as never })); // a schema of our own
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    received.push(params.arguments);
    const wrong = violations(searchIssues, params.arguments);
    return { isError: wrong !== undefined, content: [{ type: 'text', text: wrong ?? '3 issues found.' }] };
  });
  return server;
}

function printSchema({ name, parameters }: Outcome): void {
  const isSame = JSON.stringify(parameters) === JSON.stringify(searchIssues.inputSchema);
  const verdict = isSame ? green('✓ the same, to the character') : red('✗ changed');
  if (isSame) print(`${name} sends the model`, [verdict]);
  else print(`${name} sends the model`, [verdict], parameters);
}

function printCall({ name, answer = '' }: Outcome, arrived: unknown[]): void {
  const server =
    arrived.length === 0 ? red('nothing') : arrived.map((each) => green(JSON.stringify(each))).join(', then ');
  print(name, [`the server receives  ${server}`, `the model reads      ${answer}`]);
}

function print(title: string, lines: string[], schema?: unknown): void {
  console.log(`\n${bold(title)}`);
  const json = schema === undefined ? [] : foldJson(schema, pageWidth - 2);
  for (const line of [...lines, ...json]) console.log(`  ${line}`);
}
