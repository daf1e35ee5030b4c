import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHttpServer } from '../../test-support/servers/http.js';
import { integer, object, string } from '../../test-support/schemas/short.js';
import { until } from '../../test-support/waiting.js';
import { configured, connected, entryOf, listing, recording, servedOverHttp } from './as-process.js';
import { authorization, begun, callOf, post } from './raw-clients.js';
import { handshake, type Received } from './in-front.js';

const answering = "'tools/call': { content: [{ type: 'text', text: 'x'.repeat(5000) }] },";
const odd = {
  name: 'odd',
  inputSchema: object({ n: integer, s: { ...string, pattern: '^x$' } }, { anyOf: [{ required: ['n'] }] }),
};
const server = (...tools: (string | object)[]) => recording(listing(...tools) + answering);

/** The server would answer after four seconds; without the option, it has five. */
const slowly = `if (method === 'tools/call') return setTimeout(() => print({ id, result: { content: [] } }), 4000);`;

describe('An option of serve on the command line works', () => {
  /** A gateway whose call goes on after SIGTERM, while the other tests run. It may take as long as a timer can. */
  let patient: Promise<{ called: Promise<Received>; ended: Promise<number | string> }>;
  beforeAll(() => {
    const { command, got } = recording(listing(odd), slowly.replace('4000', '9500'), undefined, afterAll);
    const { call, kill, ended } = connected(['--grace', '2147483', ...command], { end: afterAll });
    const called = call('odd', { n: 1 });
    patient = until(() => got('tools/call').length === 1).then(() => {
      kill('SIGTERM');
      return { called, ended };
    });
  });

  test('--allow-origin admits only pages of that origin, whose scripts may read the answers', async () => {
    const [origin, other, token] = ['https://app.example', 'https://other.example', 'token-of-the-page'];
    const options = ['--allow-origin', origin, '--token', '${TOKEN}', ...server(odd).command];
    const { url } = await servedOverHttp(options, { env: { TOKEN: token } });
    const opened = await post(url, handshake[0]!, { origin, ...authorization(token) });
    expect([opened.status, opened.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect((await post(url, handshake[0]!, { origin: other })).status).toBe(403);
  });

  test.runIf(process.platform === 'linux')('--host sets the address to listen on', async () => {
    const gateway = await servedOverHttp(['--host', '127.0.0.2', ...server(odd).command]);
    expect(new URL(gateway.url).hostname).toBe('127.0.0.2');
    expect((await begun(gateway.url)).status).toBe(200);
  });

  test.each([
    [[], ['anyOf', 'pattern']],
    [['--provider', 'anthropic'], ['pattern']],
    [
      ['--provider', 'xai', '--api', 'completions'],
      ['anyOf', 'pattern'],
    ],
    [['--provider', 'xai', '--api', 'responses'], ['anyOf']],
  ])('With the options %j, the schema has %j', async (options, kept) => {
    const gateway = connected([...options, ...server(odd).command]);
    const text = JSON.stringify(await gateway.request('tools/list'));
    expect(['anyOf', 'pattern'].filter((keyword) => text.includes(`"${keyword}":`))).toEqual(kept);
    // The original schema decides in any case.
    expect((await gateway.call('odd', {})).result.isError).toBe(true);
  });

  test('--tool-search exposes three tools beside those of --always, and auto does so only for many tools', async () => {
    const namesWith = (mode: string, ...tools: (string | object)[]) =>
      connected(['--tool-search', mode, '--always', 'usual', ...server('usual', odd, ...tools).command]).names();
    const search = ['usual', 'search_tools', 'describe_tools', 'call_tool'];
    const long = { description: 'x'.repeat(400), inputSchema: {} };
    const many = Array.from({ length: 100 }, (_, at) => ({ name: `tool${at}`, ...long }));
    expect(await namesWith('on')).toEqual(search);
    expect(await namesWith('auto')).toEqual(['usual', 'odd']);
    expect(await namesWith('auto', ...many)).toEqual(search);
  });

  test.each([
    [[], [{ n: 5 }]],
    [['--repair', 'off'], []],
  ])('With the options %j, the arguments {"n":"5"} are sent as %j', async (options, expected) => {
    const { command, got } = server(odd);
    await connected([...options, ...command]).call('odd', { n: '5' });
    expect(argumentsIn(got)).toEqual(expected);
  });

  test('serve sends arguments that cannot be checked', async () => {
    const { command, got } = server({ name: 'torn', inputSchema: { $ref: '#/nowhere' } });
    await connected(command).call('torn', { a: 1 });
    expect(argumentsIn(got)).toEqual([{ a: 1 }]);
  });

  test('--fixed sets an argument that clients do not see', async () => {
    const { command, got } = server({ name: 'find', inputSchema: object({ tenant: string, q: string }) });
    const gateway = connected(['--fixed', 'find.tenant=${TENANT}', ...command], { env: { TENANT: 'acme' } });
    expect(JSON.stringify(await gateway.request('tools/list'))).not.toContain('tenant');
    await gateway.call('find', { q: 'a', tenant: 'evil' });
    expect(argumentsIn(got)).toEqual([{ q: 'a', tenant: 'acme' }]);
  });

  test('"maxResultLength" of an entry shortens results, and --max-result-length replaces it', async () => {
    const entry = entryOf(server(odd), { maxResultLength: 1000 });
    const lengthWith = async (...options: string[]) => {
      const { result } = await connected(['--config', configured({ one: entry }), ...options]).call('odd', { n: 1 });
      return result.content[0]!.text.length;
    };
    expect(await lengthWith()).toBeLessThanOrEqual(1000);
    expect(await lengthWith()).toBeGreaterThan(400);
    expect(await lengthWith('--max-result-length', '300')).toBeLessThanOrEqual(300);
  });

  test.each([
    [
      '--idle-timeout, also beside one of an entry,',
      'within 200 ms',
      (url: string) => ['--idle-timeout', '0.2', '--config', configured({ one: { url, timeout: 5000 } })],
    ],
    [
      '"timeout" of an entry',
      'within 1000 ms',
      (url: string) => ['--config', configured({ one: { url, timeout: 1000 } })],
    ],
  ])('The option %s ends waiting for a silent server', async (_, said, options) => {
    await using silent = await startHttpServer(() => {});
    const { error } = await connected(options(silent.url)).request('tools/list');
    expect(error?.message).toContain(said);
  });

  test('--header and --env reach the server, and no other variable does', async () => {
    await using http = await startHttpServer({});
    const env = { KEY: 'the-value', OTHER: 'of nobody else' };
    await connected(['--url', http.url, '--header', 'X-Key: ${KEY}'], { env }).names();
    expect(http.seen[0]?.headers['x-key']).toBe('the-value');
    const naming = recording(
      "'tools/list': { tools: [{ name: [process.env.KEY, process.env.OTHER].join(), inputSchema: {} }] },",
    );
    expect(await connected(['--env', 'KEY', ...naming.command], { env }).names()).toEqual(['the-value,']);
  });

  test('--grace sets how long calls may continue after the end, over stdio and HTTP', async () => {
    const { command, got } = recording(listing(odd), slowly);
    const stdio = connected(['--grace', '0.2', ...command]);
    const called = stdio.call('odd', { n: 1 });
    const http = await servedOverHttp(['--grace', '0.2', ...command]);
    const session = await begun(http.url);
    const posted = session.send(callOf('odd', 1, { n: 1 }));
    await expect.poll(() => got('tools/call')).toHaveLength(2);
    for (const gateway of [stdio, http]) gateway.kill('SIGTERM');
    const stopped = 'The gateway has stopped before the answer came.';
    expect((await called).error?.message).toContain(stopped);
    expect(await (await posted).text()).toContain(stopped);
  });

  test('--grace may be longer than `docker stop` waits', { timeout: 60_000 }, async () => {
    const { called, ended } = await patient;
    expect((await called).result.content).toEqual([]);
    expect(await ended).toBe(143);
  });
});

function argumentsIn(got: (method: string) => string[]): unknown[] {
  return got('tools/call').map((line) => (JSON.parse(line) as { params: { arguments: unknown } }).params.arguments);
}
