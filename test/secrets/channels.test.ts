import { createRequire } from 'node:module';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { McpVerbatim } from '../../nodes/McpVerbatim/McpVerbatim.node.js';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { callTool, connect } from '../../src/internal.js';
import { fc } from '../../test-support/fuzz.js';
import { type Exchange, type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import { cli } from '../cli/run.js';
import { toolNamed } from '../mcp/calling.js';
import { callOf, execution } from '../nodes/context.js';
import { handshake, inFront } from '../serve/in-front.js';
import { ascii, echoes, noise, shownAs } from './repeating.js';

// The CommonJS copy, which makes the nodes' contexts.
vi.mock('n8n-workflow', () => createRequire(import.meta.url)('n8n-workflow') as object);

/** The messages in which a server repeats a secret. */
const ways: Record<string, (exchange: Exchange, said: string) => void> = {
  'an error answer': ({ json, message: { id } }, said) =>
    json({ jsonrpc: '2.0', id, error: { code: -32000, message: said, data: { [said]: [said] } } }),
  'an error answer with HTTP 400': ({ status, message: { id } }, said) =>
    status(400, JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: said } }), isJson),
  'the text of HTTP 500': ({ status }, said) => status(500, said),
  'the JSON of HTTP 502': ({ status }, said) => status(502, JSON.stringify({ error: { message: said } }), isJson),
  'a challenge': ({ status }, said) =>
    status(401, '', { 'www-authenticate': `Bearer error="x", error_description="${said.replace(/[^ -~]|"/g, '_')}"` }),
  'a redirect': ({ status }, said) =>
    status(302, '', { location: `http://127.0.0.2:1/${said.replace(/[^!-~]/g, '_')}` }),
  'an answer to nobody': ({ json }, said) => json({ jsonrpc: '2.0', id: said, result: {} }),
  'an answer that is none': ({ json, message: { id } }, said) => json({ jsonrpc: '2.0', id, result: said }),
};
const isJson = { 'content-type': 'application/json' };

/** The text of these tests' one server, and the method that it answers with it. */
let saying: { to: string; way: keyof typeof ways; said: string };
let server: HttpServer;
const started = startHttpServer((exchange) => {
  const { to, way, said } = saying;
  if (exchange.message.method === to) ways[way]?.(exchange, said);
  else if (to === 'names' && exchange.message.method === 'initialize')
    exchange.introduce({ serverInfo: { name: said, version: said } });
  else if (to === 'names' && exchange.message.method === 'tools/list')
    exchange.result({ tools: [{ name: said, inputSchema: {} }, { name: `${said}!` }] });
  else exchange.plain();
}).then((running) => (server = running));
afterAll(async () => (await started).close());

/** Sends a secret to the server, and resolves with everything that people, programs and logs read. */
type Channel = (value: string) => Promise<string>;

function neverShows(channel: Channel, stages: readonly string[], numRuns: number) {
  return async () => {
    await started;
    const attack = fc.record({
      value: ascii.filter((text) => !/[:;=]/.test(text)),
      echo: fc.constantFrom(...Object.values(echoes)),
      to: fc.constantFrom(...stages),
      way: fc.constantFrom(...Object.keys(ways)),
    });
    let reached = 0;
    await fc.assert(
      fc.asyncProperty(attack, async ({ value, echo, to, way }) => {
        const said = `${noise}${echo(value)}`;
        saying = { to, way, said };
        const seen = await channel(value);
        expect(shownAs(seen, value)).toBeUndefined();
        const sent = server.seen.splice(0).map(({ text, headers }) => `${text}${JSON.stringify(headers)}`);
        if (sent.some((text) => text.includes(JSON.stringify(value).slice(1, -1)))) reached++;
      }),
      { numRuns },
    );
    expect(reached).toBeGreaterThan(0);
  };
}

/** Users of the tools read their names as the server wrote them, so names are checked in logs only. */
function told(text: string): string {
  return saying.to === 'names' ? '' : text;
}

/** Every text of an error. */
function allOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack, cause, ...others } = error as Error & Record<string, unknown>;
  return [message, stack, cause instanceof Error ? cause.message : '', JSON.stringify(others)].join('\n');
}

const calling =
  (args: (value: string) => Record<string, unknown>, options: (value: string) => object): Channel =>
  async (value) => {
    const session = await connect({ url: server.url });
    const tool = toolNamed('echo', { type: 'object', properties: { tenant: {}, password: {}, deep: {} } });
    const failed = await callTool(session, tool, args(value), options(value)).catch(allOf);
    await session.close();
    return typeof failed === 'string' ? failed : '';
  };

const toCalls = ['tools/call'];
const nothing = () => ({});
test.each<[string, Channel]>([
  ['a bearer token of its own', calling(nothing, (v) => ({ headers: { Authorization: `Bearer ${v}` } }))],
  ['a header of its own', calling(nothing, (v) => ({ headers: { 'X-Acme': v } }))],
  ['a fixed argument', calling(nothing, (v) => ({ fixed: { tenant: v } }))],
  ['a part of a fixed argument', calling(nothing, (v) => ({ fixed: { deep: { list: [1, v] } } }))],
  ['an argument with the name of a secret', calling((v) => ({ password: v, deep: { api_key: v } }), nothing)],
])('A call through the library never shows %s', async (_name, channel) => neverShows(channel, toCalls, 40)());

const stages = ['initialize', 'tools/list', 'tools/call'];
test.each([
  ['list', ['list']],
  ['list --json', ['list', '--json']],
  ['check', ['check']],
  ['show', ['show', 'echo']],
  ['call', ['call', 'echo', '{}']],
])('The command %s never shows a header of its server', async (_name, command) => {
  const channel: Channel = async (value) => {
    const header = ['--header', 'X-Acme: ${ACME}'];
    const argv = [...command, '--url', server.url, ...header, '--idle-timeout', '5'];
    const { stdout, stderr } = await cli(argv, { env: { ACME: value } });
    return stdout + stderr;
  };
  await neverShows(channel, stages, 25)();
});

test("`serve` shows no header of its server's address to clients or in its log", async () => {
  const channel: Channel = async (value) => {
    await using front = inFront({ url: server.url, headers: { 'X-Acme': value } });
    for (const line of handshake) front.write(line);
    front.write('{"jsonrpc":"2.0","id":"l","method":"tools/list"}');
    front.write('{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"echo","arguments":{}}}');
    for (const id of ['l', 'c']) await front.line((message) => message['id'] === id);
    return [...front.lines.map(told), ...front.log].join('\n');
  };
  await neverShows(channel, ['initialize', 'tools/list', 'tools/call', 'names'], 40)();
});

describe('The nodes of n8n', () => {
  const credentials = (value: string) => {
    const headers = { values: [{ name: 'X-Acme', value }] };
    return { mcpVerbatimHttpApi: { url: server.url, transport: 'http', authentication: 'headers', headers } };
  };
  const stages = ['initialize', 'tools/list', 'tools/call', 'names'];

  test("The node for calls never shows a header of its credential in n8n's log and errors", async () => {
    const channel: Channel = async (value) => {
      const run = execution({ type: new McpVerbatim(), parameters: callOf('echo'), credentials: credentials(value) });
      const failed = await run.output().then(() => '', allOf);
      await run.finish();
      return [told(failed), ...run.logged, told(JSON.stringify(run.hints))].join('\n');
    };
    await neverShows(channel, stages, 40)();
  });

  test("The node for agents never shows a header of its credential in n8n's log and errors", async () => {
    const channel: Channel = async (value) => {
      const run = execution({ type: new McpVerbatimTool(), credentials: credentials(value) });
      const type = new McpVerbatimTool();
      const failed = await type.supplyData.call(run.supply(), 0).then(async ({ response }) => {
        const [tool] = (response as { tools: { invoke(args: object): Promise<unknown> }[] }).tools;
        return String(await tool?.invoke({}).catch(allOf));
      }, allOf);
      await run.finish();
      return [told(failed), ...run.logged].join('\n');
    };
    await neverShows(channel, stages, 40)();
  });
});
