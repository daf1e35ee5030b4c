import { describe, expect, test } from 'vitest';
import { call, say, steps } from '../../../test-support/model/script.js';
import type { Execution } from '../../../test-support/n8n/api.js';
import { agentWorkflow, callTool, singleNodeWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';
import { startHttpServer } from '../../../test-support/servers/http.js';
import { useBench, used, usedCredential } from './harness.js';
import { type RawAnswers, startRawServer } from '../../../test-support/servers/raw-server.js';

const work = {
  name: 'work',
  inputSchema: { type: 'object', properties: { n: { type: 'integer' }, where: { type: 'object' } } },
};

/** Lists tools, and answers each call with its arguments. */
function answering(tools: object[] = [work], result?: object): RawAnswers {
  return (method, params) => {
    if (method === 'tools/list') return { result: JSON.stringify({ tools }) };
    if (method !== 'tools/call') return undefined;
    const text = JSON.stringify(params['arguments']);
    return { result: JSON.stringify(result ?? { content: [{ type: 'text', text }] }) };
  };
}

const unknownCustomer = { isError: true, content: [{ type: 'text', text: 'No such customer\nAsk for another one' }] };

/** The errors, hints and data that n8n shows for MCP Verbatim Tool. */
function shown({ runs }: Execution): string {
  return JSON.stringify(runs['MCP Verbatim Tool']?.map(({ error, hints, data }) => [error, hints, data]) ?? 'nothing');
}

describe('what an operator sees', () => {
  const bench = useBench();
  const server = used(startRawServer);
  const credential = usedCredential(bench, () => server.url);

  const calls = () => server.received.filter(({ method }) => method === 'tools/call').map(({ params }) => params);
  const retrying = { retryOnFail: true, waitBetweenTries: 0 };

  /** AI Agent 2.x calls the tool's function, in 3.x the engine runs the node. */
  describe.for([2.2, 3.1])('of an AI Agent %d', (typeVersion) => {
    const run = async (tool: ReturnType<typeof verbatimTool>) =>
      await bench.run(agentWorkflow(bench.modelNode, [tool], { agent: { typeVersion } }));

    test("A tool's own error is a warning or an error of the node, and the call is not sent again", async () => {
      server.play(answering([work], unknownCustomer));
      bench.model.play(steps(call('work', { n: 1 }), say('I see.')));
      const execution = await run(verbatimTool(credential, {}, retrying));
      expect(execution.status).toBe('success');
      expect(shown(execution)).toMatch(/The tool .{0,2}"work.{0,2}" reported an error: No such customer/);
      expect(bench.answers().join()).toContain('Ask for another one');
      expect(calls()).toHaveLength(1);
    });

    test('Nodes that together have more tools than the provider takes show a warning', async () => {
      server.play(answering(Array.from({ length: 70 }, (_, n) => ({ ...work, name: `work_${n}` }))));
      bench.model.play(say('Hello.'));
      const nodes = [verbatimTool(credential), verbatimTool(credential, {}, { name: 'Second' })];
      const { runs } = await bench.run(agentWorkflow(bench.modelNode, nodes, { agent: { typeVersion } }));
      expect(JSON.stringify(runs)).toMatch(
        /OpenAI takes at most 128 tools in a request, and these are 140\..*Tool Search/,
      );
    });
  });

  test('AI Agent 3.1 writes "tool" and "id" among the arguments of past calls; the server receives neither', async () => {
    server.play(answering());
    bench.model.play(steps(call('work', { n: 1 }), say('Done.')));
    await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential)], { agent: { typeVersion: 3.1 } }));
    const past = bench.model.requests.at(-1)?.json.messages.flatMap(({ tool_calls = [] }) => tool_calls);
    const args = past?.map(({ function: { arguments: json } }) => JSON.parse(json) as unknown);
    expect(args).toEqual([{ n: 1, tool: 'work', id: expect.any(String) }]);
    expect(calls()).toMatchObject([{ arguments: { n: 1 } }]);
  });

  test("A failed step shows its error once, and names the credential's choices if authentication is missing", async () => {
    const failed = async (given = credential) => {
      const { error } = await bench.run(singleNodeWorkflow(callTool(given, 'work')));
      return `${error?.message}\n${error?.description ?? ''}`;
    };
    server.play(answering([work], unknownCustomer));
    expect(await failed()).toBe('The tool "work" reported an error: No such customer\nAsk for another one');
    await using closed = await startHttpServer(({ status }) => status(401));
    expect(await failed(await bench.httpCredential(closed.url))).toMatch(
      /HTTP 401.*\n.*has no authentication\. Choose Bearer Token.*OAuth2/,
    );
  });
});
