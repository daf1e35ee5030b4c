import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../../../test-support/free-port.js';
import { call, steps } from '../../../test-support/model/script.js';
import type { Execution, N8nError } from '../../../test-support/n8n/api.js';
import { useBench, used, type CredentialReference, usedCredential } from './harness.js';
import { startRawServer, working, type RawAnswers } from '../../../test-support/servers/raw-server.js';
import { agentWorkflow, callTool, singleNodeWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';

const secret = 'token-that-nobody-may-see';
const bearer = { authentication: 'bearer', token: secret };

/** A failure. Members that are absent describe a server that works. */
interface Failure {
  what: string;
  server?: RawAnswers;
  url?: string;
  command?: string;
  /** The title and, on the next line, the description. */
  says: RegExp;
}

const failures: Failure[] = [
  {
    what: 'a result that is an error',
    server: working({ result: '{"isError":true,"content":[{"type":"text","text":"No such customer"}]}' }),
    says: /No such customer/,
  },
  {
    what: 'a refused connection',
    url: `http://127.0.0.1:${await freePort()}/mcp`,
    says: /^http:\/\/127\.0\.0\.1:\d+\/mcp cannot be reached: nothing listens there \(ECONNREFUSED\)\.\nStart the server/,
  },
  {
    what: 'a wrong command',
    command: '/no/such/command',
    says: /^The command "\/no\/such\/command" was not found\.\nGive the full path/,
  },
];

describe('when something goes wrong', () => {
  const bench = useBench();
  const server = used(startRawServer);
  const here = usedCredential(bench, () => server.url, beforeAll, bearer);

  async function prepare(failure: Failure): Promise<CredentialReference> {
    if (failure.server) server.play(failure.server);
    if (failure.command) return await bench.stdioCredential(failure.command, [], { API_KEY: secret });
    return failure.url ? await bench.httpCredential(failure.url, bearer) : here;
  }

  describe.for(failures)('$what', (failure) => {
    test('A failure stops the workflow with a readable error', async () => {
      const credential = await prepare(failure);
      const execution = await bench.run(singleNodeWorkflow(callTool(credential, 'work')));
      expect(readable(execution.error)).toMatch(failure.says);
      expect(leaks(execution)).toBe(false);
    });

    test('A failure stops the agent with a readable error', async () => {
      const credential = await prepare(failure);
      bench.model.play(steps(call('work', {}), { text: 'I see.' }));
      const execution = await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential)]));
      const told = bench.answers().join('\n');
      expect(execution.status === 'error' ? readable(execution.error) : told).toMatch(failure.says);
      expect(leaks(execution)).toBe(false);
      expect(JSON.stringify(bench.model.requests)).not.toContain(secret);
    });
  });

  test.each([
    ['continueRegularOutput', 0],
    ['continueErrorOutput', 1],
  ] as const)('A failure becomes an item if the node is to go on: %s', async (onError, output) => {
    const credential = await prepare(failures[0]!);
    const execution = await bench.run(singleNodeWorkflow(callTool(credential, 'work', {}, { onError })));
    expect(execution.status).toBe('success');
    const [item] = execution.output('MCP Verbatim', output);
    expect(execution.output('MCP Verbatim', 1 - output)).toEqual([]);
    expect(JSON.stringify(item?.json)).toMatch(failures[0]!.says);
    expect(item?.json['error']).toEqual(expect.any(String));
    expect(leaks(execution)).toBe(false);
  });
});

describe('a tool that repeats the token in its error', () => {
  const encodings = [secret, Buffer.from(`Bearer ${secret}`).toString('base64')];
  const shows = (text: string) => encodings.filter((encoding) => text.includes(encoding));

  const bench = useBench();
  const server = used(() => {
    const text = `403: Authorization: Bearer ${secret} (${encodings[1]}) may not do that`;
    return startRawServer(working({ result: JSON.stringify({ isError: true, content: [{ type: 'text', text }] }) }));
  });
  const credential = usedCredential(bench, () => server.url, beforeAll, bearer);

  test.each([{}, { rawResult: true }])(
    "A token that a tool repeats is in neither the node's error nor n8n's log: %j",
    async (options) => {
      const execution = await bench.run(singleNodeWorkflow(callTool(credential, 'work', options)));
      expect(readable(execution.error)).toMatch(/403: Authorization: .* may not do that/);
      expect(shows(JSON.stringify([execution.error, execution.runs]))).toEqual([]);
      expect(shows(readFileSync(inject('n8nLog'), 'utf8'))).toEqual([]);
    },
  );

  test.each([2.2, 3.1])("A token that a tool repeats is not shown to an agent's model: %d", async (typeVersion) => {
    bench.model.play(steps(call('work', {}), { text: 'I see.' }));
    const workflow = agentWorkflow(bench.modelNode, [verbatimTool(credential)], { agent: { typeVersion } });
    const execution = await bench.run(workflow);
    expect(JSON.stringify(bench.model.requests.at(-1)?.json.messages)).toContain('may not do that');
    expect(shows(JSON.stringify([bench.model.requests, execution.runs]))).toEqual([]);
  });
});

function readable(error: N8nError | undefined): string {
  const text = `${error?.message}\n${error?.description ?? ''}`;
  expect(text, 'a stack trace').not.toMatch(/\n\s+at .*:\d+/);
  return text;
}

function leaks(execution: Execution): boolean {
  return JSON.stringify([execution.error, execution.runs]).includes(secret);
}
