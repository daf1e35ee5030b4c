import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { call, steps } from '../../../test-support/model/script.js';
import type { Execution, N8nError } from '../../../test-support/n8n/api.js';
import { startHttpServer, type HttpServer } from '../../../test-support/servers/http.js';
import { useBench, type CredentialReference } from './harness.js';
import { startRawServer, working, type RawAnswers, type RawServer } from './raw-server.js';
import { agentWorkflow, callTool, singleNodeWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';

const secret = 'token-that-nobody-may-see';

const failures: {
  what: string;
  server?: RawAnswers;
  url?: string;
  command?: string;
  options?: object;
  says: RegExp;
}[] = [
  {
    what: 'a JSON-RPC error',
    server: working({ error: '{"code":-32050,"message":"The moon is in the wrong phase"}' }),
    says: /wrong phase/,
  },
  {
    what: 'a result that is an error',
    server: working({ result: '{"isError":true,"content":[{"type":"text","text":"No such customer"}]}' }),
    says: /No such customer/,
  },
  { what: 'a refused connection', url: 'http://127.0.0.1:9/mcp', says: /127\.0\.0\.1:9/ },
  { what: 'a wrong command', command: '/no/such/command', says: /\/no\/such\/command/ },
  { what: 'a program that is no server', command: 'true', says: /ended|exit|closed/i },
  { what: 'a timeout', server: working('never'), options: { timeout: 300 }, says: /300|timeout|timed out|in time/i },
];

describe('when something goes wrong', () => {
  const bench = useBench();
  let server: RawServer;
  let credentialHere: CredentialReference;

  beforeAll(async () => {
    server = await startRawServer();
    credentialHere = await bench.httpCredential(server.url, { authentication: 'bearer', token: secret });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  async function prepare(failure: (typeof failures)[number]): Promise<CredentialReference> {
    if (failure.server) server.play(failure.server);
    if (failure.command) return await bench.stdioCredential(failure.command, [], { API_KEY: secret });
    return failure.url ? await bench.httpCredential(failure.url, bearer) : credentialHere;
  }

  describe.for(failures)('$what', (failure) => {
    test('stops the workflow with a readable error', async () => {
      const credential = await prepare(failure);
      const execution = await bench.run(singleNodeWorkflow(callTool(credential, 'work', failure.options)));
      expect(execution.status).toBe('error');
      expect(readable(execution.error)).toMatch(failure.says);
      expect(leaks(execution)).toBe(false);
    });

    test.each(['continueRegularOutput', 'continueErrorOutput'] as const)('becomes an item: %s', async (onError) => {
      const credential = await prepare(failure);
      const node = callTool(credential, 'work', failure.options, { onError });
      const execution = await bench.run(singleNodeWorkflow(node));
      expect(execution.status).toBe('success');
      const outputs = [0, 1].map((output) => execution.output('MCP Verbatim', output));
      const [item] = outputs[onError === 'continueErrorOutput' ? 1 : 0]!;
      expect(outputs.flat()).toHaveLength(1);
      expect(JSON.stringify(item?.json)).toMatch(failure.says);
      expect(item?.json['error']).toEqual(expect.any(String));
      expect(leaks(execution)).toBe(false);
    });

    test('is readable in the agent', async () => {
      const credential = await prepare(failure);
      bench.model.play(steps(call('work', {}), { text: 'I see.' }));
      const tool = verbatimTool(credential, { options: failure.options ?? {} });
      const execution = await bench.run(agentWorkflow(bench.modelNode, [tool]));
      const told = JSON.stringify(bench.model.requests.at(-1)?.json.messages ?? []);
      expect(execution.status === 'error' ? readable(execution.error) : told).toMatch(failure.says);
      expect(leaks(execution)).toBe(false);
      expect(told).not.toContain(secret);
    });
  });
});

describe('a tool that repeats the token in its error', () => {
  const bench = useBench();
  let server: RawServer;
  let credential: CredentialReference;

  beforeAll(async () => {
    const encoded = Buffer.from(`Bearer ${secret}`).toString('base64');
    const text = `403: Authorization: Bearer ${secret} (${encoded}) may not do that`;
    const content = [{ type: 'text', text }];
    server = await startRawServer(working({ result: JSON.stringify({ isError: true, content }) }));
    credential = await bench.httpCredential(server.url, bearer);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const encodings = [secret, Buffer.from(`Bearer ${secret}`).toString('base64')];
  const shows = (text: string) => encodings.filter((encoding) => text.includes(encoding));

  test.each([{}, { raw: true }])("does not show it in the node's error, nor in n8n's log: %j", async (options) => {
    const execution = await bench.run(singleNodeWorkflow(callTool(credential, 'work', options)));
    expect(readable(execution.error)).toMatch(/403: Authorization: .* may not do that/);
    expect(shows(JSON.stringify([execution.error, execution.runs]))).toEqual([]);
    expect(shows(readFileSync(inject('n8nLog'), 'utf8'))).toEqual([]);
  });

  test.each([2.2, 3.1])("does not show it to an agent's model: %d", async (typeVersion) => {
    bench.model.play(steps(call('work', {}), { text: 'I see.' }));
    const workflow = agentWorkflow(bench.modelNode, [verbatimTool(credential)], { agent: { typeVersion } });
    const execution = await bench.run(workflow);
    expect(JSON.stringify(bench.model.requests.at(-1)?.json.messages)).toContain('may not do that');
    expect(shows(JSON.stringify([bench.model.requests, execution.runs]))).toEqual([]);
  });
});

describe('a connection that breaks off', () => {
  const bench = useBench();

  /** A server that breaks the connection off when a method is asked for the first time, and does something else then. */
  async function breaking(method: string, then: (server: HttpServer) => unknown = () => {}): Promise<HttpServer> {
    const readOnly = { name: 'work', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
    let isBroken = false;
    const server = await startHttpServer(async ({ message, response, result, plain }, self) => {
      if (message.method === method && !isBroken) {
        isBroken = true;
        await then(self);
        response.destroy();
      } else if (message.method === 'tools/list') result({ tools: [readOnly] });
      else plain();
    });
    onTestFinished(() => server.close());
    return server;
  }

  test('while the tools are listed is tried once more', async () => {
    const server = await breaking('tools/list');
    const execution = await bench.run(singleNodeWorkflow(callTool(await bench.httpCredential(server.url), 'work')));
    expect(execution.error).toBeUndefined();
    expect(server.methods().filter((method) => method === 'tools/list')).toHaveLength(2);
  });

  test('during a call that may be repeated, and a server that is gone then: it may have carried out the call', async () => {
    const server = await breaking('tools/call', (self) => void self.close());
    const execution = await bench.run(singleNodeWorkflow(callTool(await bench.httpCredential(server.url), 'work')));
    expect(readable(execution.error)).toMatch(/sent twice, .* whether it was carried out is unknown/);
    expect(readable(execution.error)).not.toContain('not sent again');
  });
});

const bearer = { authentication: 'bearer', token: secret };

function readable(error: N8nError | undefined): string {
  const text = `${error?.message}\n${error?.description ?? ''}`;
  expect(text, 'a stack trace').not.toMatch(/\n\s+at .*:\d+/);
  return text;
}

function leaks(execution: Execution): boolean {
  return JSON.stringify([execution.error, execution.runs]).includes(secret);
}
