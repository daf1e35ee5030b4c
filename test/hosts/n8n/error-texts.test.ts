import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../../../test-support/servers/certificate.js';
import { useBench, type CredentialReference } from './harness.js';
import { startRawServer, type RawServer } from './raw-server.js';
import { singleNodeWorkflow, verbatim } from '../../../test-support/n8n/workflows.js';

const tools = [
  {
    name: 'book',
    inputSchema: {
      type: 'object',
      properties: { guests: { type: 'integer' }, where: { $ref: '#/nowhere' } },
      required: ['guests'],
    },
  },
  { name: 'broken' },
];

/** What stands in the node, and what its reader is to see of it. `@` is the address of the server. */
interface Situation {
  what: string;
  reach:
    | 'tracker'
    | 'nobody'
    | 'untrusted'
    | { status: number; type?: string; body?: string }
    | { command: string; args?: string[] };
  tool?: string;
  args?: string;
  title: string;
  description: string;
}

const situations: Situation[] = [
  {
    what: 'a refused connection',
    reach: 'nobody',
    title: '@ cannot be reached: nothing listens there (ECONNREFUSED).',
    description: 'Start the server, or check host and port of the URL.',
  },
  {
    what: 'a certificate of its own',
    reach: 'untrusted',
    title: '@ cannot be reached: its TLS certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).',
    description: 'Have the certificate signed by a known authority, or add its authority with NODE_EXTRA_CA_CERTS.',
  },
  {
    what: 'a web page',
    reach: { status: 200, type: 'text/html', body: '<h1>Welcome</h1>' },
    title: 'The server answered with something other than MCP.',
    description: 'content of type text/html.<br>Check the URL: this looks like a web page or another kind of API.',
  },
  {
    what: 'a missing or expired token',
    reach: { status: 401 },
    title: '@ requires authorization (HTTP 401).',
    description: 'Check the token or credential; it may be missing, expired or meant for another server.',
  },
  {
    what: 'a command that is not there',
    reach: { command: 'no-such-command' },
    title: 'The command "no-such-command" was not found.',
    description: 'Give the full path, or install the program in a folder on PATH; no shell expands anything.',
  },
  {
    what: 'a server that dies with a stack trace',
    reach: {
      command: process.execPath,
      args: ['-e', 'const dead = new Error("API_KEY is not set"); console.error(dead.stack); process.exit(3)'],
    },
    title: `The server "${process.execPath}" ended with exit code 3.`,
    description:
      'Its last words on stderr:<br>Error: API_KEY is not set<br>Run the command in a terminal to see whether it starts; check its arguments and environment variables.',
  },
  {
    what: 'a tool that is skipped',
    reach: 'tracker',
    tool: 'broken',
    title: 'The tool "broken" cannot be called',
    description: 'The tool has no inputSchema.',
  },
  {
    what: 'arguments that do not fit',
    reach: 'tracker',
    args: '{"guests":"four"}',
    title: 'The arguments do not fit the input schema of "book"',
    description:
      '- /guests: must be integer, received string "four"<br>The tool was not called. Correct the arguments and run the node again.',
  },
];

describe('what a person reads when', () => {
  const bench = useBench();
  let tracker: RawServer;
  const listening: Server[] = [];

  beforeAll(async () => {
    tracker = await startRawServer((method) =>
      method === 'tools/list' ? { result: JSON.stringify({ tools }) } : undefined,
    );
  });
  afterAll(async () => {
    for (const server of listening) server.close();
    await tracker[Symbol.asyncDispose]();
  });

  async function listen(server: Server): Promise<string> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    listening.push(server);
    return `localhost:${(server.address() as AddressInfo).port}/mcp`; // a TCP server's address is never a string
  }

  async function addressOf(reach: Exclude<Situation['reach'], { command: string }>): Promise<string> {
    if (typeof reach === 'object') return `http://${await listen(createServer(answering(reach)))}`;
    if (reach === 'tracker') return tracker.url;
    if (reach === 'untrusted') return `https://${await listen(createTlsServer(selfSigned('localhost')))}`; // all of it that is used here
    const address = await listen(createServer());
    await new Promise((resolve) => listening.pop()?.close(resolve));
    return `http://${address}`;
  }

  test.for(situations)('there is $what', async ({ reach, tool = 'book', args = '{}', title, description }) => {
    const isCommand = typeof reach === 'object' && 'command' in reach;
    const address = isCommand ? '' : await addressOf(reach);
    const credential: CredentialReference = isCommand
      ? await bench.stdioCredential(reach.command, reach.args)
      : await bench.httpCredential(address);
    const node = verbatim(credential, {
      operation: 'call',
      tool: { __rl: true, mode: 'name', value: tool },
      argumentsMode: 'json',
      arguments: args,
    });
    const { error } = await bench.run(singleNodeWorkflow(node));
    expect([error?.message, error?.description]).toEqual([title.replace('@', address), description]);
    expect(error?.['context']).toMatchObject({ itemIndex: 0 });
  });
});

function answering({
  status,
  type = 'text/plain',
  body = '',
}: {
  status: number;
  type?: string;
  body?: string;
}): RequestListener {
  return (_, response) => void response.writeHead(status, { 'content-type': type }).end(body);
}
