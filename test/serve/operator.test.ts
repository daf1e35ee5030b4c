import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Exchange, startHttpServer } from '../../test-support/servers/http.js';
import { until } from '../../test-support/waiting.js';
import { cli } from '../cli/run.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { configured, connected as calling, entryOf, listing, recording, served, servedOverHttp } from './as-process.js';
import { handshake } from './in-front.js';
import { begun, callOf, post } from './raw-clients.js';

const search = {
  name: 'search',
  inputSchema: { type: 'object', properties: { limit: { type: 'integer' }, tenant: { type: 'string' } } },
};
const plain = (name: string, annotations?: object) => ({ name, inputSchema: { type: 'object' }, annotations });
const answering =
  "'tools/call': { content: [{ type: 'text', text: 'private result' }], isError: params?.name === 'fail' },";
const all = listing(search, plain('fail'), plain('read_it', { readOnlyHint: true }));
const token = 'the-token-of-the-operator';
const env = { MCP_TOKEN: token };
const withToken = ['--token', '${MCP_TOKEN}'];

describe('The log', () => {
  test('The log has a line for each call, without its arguments and its result', async () => {
    const server = recording(all + answering);
    const gateway = calling(server.command);
    await gateway.call('search', { tenant: 'private value' });
    await gateway.call('search', { limit: '5' });
    await gateway.call('search', { limit: 'private value' });
    await gateway.call('fail');
    await gateway.call('nothing');
    await gateway.logged(/tool=nothing .*ms=/);
    const calls = gateway
      .stderr()
      .split('\n')
      .filter((line) => / call /.test(line));
    const about = 'client="test 1" ';
    expect(calls.map((line) => line.replace(/^\S+ call | ms=.*$/g, ''))).toEqual([
      `${about}tool=search server=server outcome=ok`,
      `${about}tool=search server=server outcome=ok repaired=integer`,
      `${about}tool=search server=server outcome=refused error=INVALID_ARGUMENTS`,
      `${about}tool=fail server=server outcome="tool error"`,
      `${about}tool=nothing outcome=refused error=UNKNOWN_TOOL`,
    ]);
    for (const line of calls) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\S+Z call .* ms=\d+ received=\d+ sent=\d+$/);
    expect(gateway.stderr()).not.toContain('private');
  });

  test('The log in a file is JSON, with arguments and results on request, and without secrets', async () => {
    const server = recording(all + answering);
    const file = join(temporaryFolder(onTestFinished), 'serve.log');
    const gateway = calling(['--log', file, '--log-format', 'json', '--log-arguments', ...server.command]);
    await gateway.call('search', { limit: '5', tenant: 'acme', password: 'hunter2-hunter2' });
    gateway.hangUp();
    expect(await gateway.ended).toBe(0);
    const entries = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(entries).toMatchObject([
      { event: 'session started', client: 'test 1' },
      { event: 'server started', server: 'server' },
      {
        event: 'call',
        outcome: 'ok',
        repaired: ['integer'],
        arguments: '{"limit":"5","tenant":"acme","password":[hidden]}',
      },
      { event: 'session ended', reason: 'the client has closed its end' },
      { event: 'server ended', server: 'server' },
    ]);
    expect(JSON.stringify(entries)).toContain('private result');
    expect(JSON.stringify(entries)).not.toContain('hunter2');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(gateway.stderr()).not.toContain('call');
  });

  test('The log says why a session began and ended, and which requests were refused', async () => {
    const server = recording(all);
    const gateway = await servedOverHttp(['--max-sessions', '1', ...withToken, ...server.command], { env });
    expect((await begun(gateway.url)).status).toBe(401);
    expect((await begun(gateway.url, 'another-token-of-16')).status).toBe(401);
    expect((await post(gateway.url, {}, { origin: 'https://evil.example' })).status).toBe(403);
    const one = await begun(gateway.url, token);
    await begun(gateway.url, token);
    expect((await one.send({ id: 1, method: 'ping' })).status).toBe(404);
    await gateway.logged(/refused status=401 reason="A token is needed.* from=\S*127\.0\.0\.1/);
    await gateway.logged(/refused status=403 reason="Invalid Origin/);
    await gateway.logged(/session started client="same 1" session=[\da-f]{8}\n/);
    await gateway.logged(/session ended client="same 1" reason="another one needed its place" session=[\da-f]{8}/);
    expect(gateway.stderr()).not.toContain(one.headers['mcp-session-id']);
  });

  test('The log hides tokens in the names that clients give', async () => {
    const server = recording(listing(plain('api_key'), { name: 'bad_token', inputSchema: 1 }) + answering);
    const gateway = served(server.command);
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const evil = `evil\\n2026-11-28T19:02:11.480Z server ended\\u001b[31m and so on, for long`;
    gateway.write(handshake[0]!.replace('"test"', `"${evil}"`).replace('"version":"1"', `"version":"${secret}"`));
    gateway.write({ id: 1, method: 'tools/call', params: { name: secret, [secret]: 1 } });
    gateway.write({ id: 2, method: 'tools/call', params: { name: 'api_key' } });
    gateway.write({ id: 3, method: 'tools/list' });
    await gateway.logged(/tool=api_key server=server outcome=ok/);
    await gateway.logged(/skipped "bad_token": .*inputSchema/);
    expect(gateway.stderr()).not.toContain(secret.slice(0, 10));
    expect(gateway.stderr()).not.toContain('\u001b');
    expect(gateway.stderr()).not.toMatch(/^\S+ server ended/m);
    expect(gateway.stderr()).toContain('tool="[hidden]"');
  });

  test('The log does not hide the name of a tool as a secret', async () => {
    const server = recording(listing({ name: 'search', inputSchema: { $ref: '#/nowhere' } }));
    const gateway = calling(['--config', configured({ auth_token: entryOf(server), other: entryOf(server) })]);
    await gateway.names();
    await gateway.logged(/auth_token_search: exposed .* server=auth_token\n/);
    expect(gateway.stderr()).not.toContain('[hidden]');
  });
});

describe('GET /health', () => {
  test('GET /health says ok to everybody, and shows the state of the servers to those with the token', async () => {
    const server = recording(all);
    const config = configured({ there: entryOf(server), gone: { command: '/nowhere' } });
    const gateway = await servedOverHttp(['--config', config, ...withToken], { env });
    await begun(gateway.url, token);
    await gateway.logged(/server failed server=gone/);
    const health = (headers = {}) => fetch(new URL('/health', gateway.url), { headers });
    const open = await health();
    expect([open.status, await open.text()]).toEqual([200, 'ok']);
    expect(await (await health({ authorization: 'Bearer another-token-of-16' })).text()).toBe('ok');
    expect(await (await health({ authorization: `Bearer ${token}` })).json()).toMatchObject({
      status: 'ok',
      version: expect.any(String) as string,
      revisions: expect.arrayContaining(['2026-07-28', '2025-11-25']) as string[],
      sessions: 1,
      servers: [
        { name: 'there', version: '1', state: 'open', open: 1 },
        { name: 'gone', state: 'failed', open: 0 },
      ],
    });
  });

  test('GET /health says 503 while serve stops, which waits for calls, and new sessions and requests are refused', async () => {
    let held: Exchange | undefined;
    await using server = await startHttpServer({
      'tools/list': { tools: [search] },
      'tools/call': (exchange) => void (held = exchange),
    });
    const gateway = await servedOverHttp(['--grace', '60', '--url', server.url]);
    const [session] = [await begun(gateway.url), await begun(gateway.url)];
    const called = session.send(callOf('search')).then((response) => response.text(), String);
    await until(() => held !== undefined);
    gateway.kill('SIGTERM');
    const health = () => fetch(new URL('/health', gateway.url));
    await expect.poll(async () => (await health()).status).toBe(503);
    expect(await (await health()).text()).toBe('stopping');
    expect((await begun(gateway.url)).status).toBe(503);
    await gateway.logged(/refused status=503 reason="The gateway is stopping\."/);
    held!.result({ content: [] });
    expect(await called).toContain('{"content":[]}');
    expect(await gateway.ended).toBe(143);
  });
});

describe('The tools that are exposed', () => {
  const tools = listing(plain('git_log', { readOnlyHint: true }), plain('git_push'), plain('search'));

  test.each([
    [
      ['--include', 'git_*'],
      ['git_log', 'git_push'],
    ],
    [['--exclude', '*_push,search'], ['git_log']],
    [
      ['--include', 'git_*,search', '--exclude', 'git_log'],
      ['git_push', 'search'],
    ],
    [['--read-only'], ['git_log']],
  ])('The options %j choose the tools that are exposed', async (options, expected) => {
    const server = recording(tools + answering);
    const gateway = calling([...options, ...server.command]);
    expect(await gateway.names()).toEqual(expected);
    const left = ['git_log', 'git_push', 'search'].find((name) => !expected.includes(name))!;
    expect((await gateway.call(left)).error?.message).toContain('Unknown tool');
    expect(server.got('tools/call')).toEqual([]);
  });

  test('The tools that are exposed are chosen for each server in its entry, or for all', async () => {
    const one = recording(tools);
    const config = configured({
      one: entryOf(one, { include: ['git_*'], readOnly: true }),
      two: entryOf(one, { exclude: ['search'] }),
      three: entryOf(one),
      wrong: entryOf(one, { include: 'git_*' }),
    });
    const gateway = calling(['--config', config, '--exclude', 'git_push']);
    expect(await gateway.names()).toEqual([
      ...['one_git_log', 'two_git_log', 'two_git_push'],
      ...['three_git_log', 'three_search'],
    ]);
    await gateway.logged(
      /server failed server=wrong reason=".*include.* of the server .*wrong.* is not a list of names\./,
    );
  });

  test('No tools are exposed if an excluded name is misspelt, and the log says so at once', async () => {
    const { code, stderr } = await cli(['serve', '--port', '0', '--exclude', 'serch', ...recording(tools).command]);
    expect(code).toBe(4);
    expect(stderr).toContain('has no tool "serch", which is to be left out. Did you mean "search"?');
  });
});

test('--dry-run prints which tools would be exposed, skipped or have fixed arguments, and ends', async () => {
  const server = recording(listing(search, { name: 'broken' }, plain('git_push')));
  const config = configured({
    one: entryOf(server, { fixed: { search: { tenant: 'a' } } }),
    gone: { command: '/nowhere' },
  });
  const { code, stdout, stderr } = await cli(['serve', '--dry-run', '--config', config]);
  expect(stdout).toBe('one_search\tone\tsearch\none_git_push\tone\tgit_push\n');
  expect(stderr).toMatch(/skipped "broken": .* server=one\n/);
  expect(stderr).toContain('one_search: exposed without "tenant" server=one');
  expect(stderr).toContain('server failed server=gone');
  expect(code).toBe(4);
  const whole = await cli(['serve', '--dry-run', '--provider', 'openai', ...server.command]);
  expect([whole.code, whole.stdout]).toEqual([0, 'search\tserver\tsearch\ngit_push\tserver\tgit_push\n']);
  const wrong = configured({ one: entryOf(server), two: entryOf(server, { exclude: ['serch'] }) });
  const partial = await cli(['serve', '--dry-run', '--config', wrong]);
  expect([partial.code, partial.stdout]).toEqual([4, 'one_search\tone\tsearch\none_git_push\tone\tgit_push\n']);
});

test('A fixed argument of a missing tool is reported at the start, over HTTP and stdio', async () => {
  const server = recording(all);
  const wrong = ['--fixed', 'serch.tenant=x', ...server.command];
  const { code, stderr } = await cli(['serve', '--port', '0', ...wrong]);
  expect([code, stderr]).toEqual([4, expect.stringContaining('has no tool "serch", for which arguments are fixed')]);
  const gateway = calling(wrong);
  await gateway.logged(/has no tool "serch", for which arguments are fixed/);
});
