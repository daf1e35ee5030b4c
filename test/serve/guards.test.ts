import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isRunning } from '../../test-support/servers/process-state.js';
import { approving, becomeAnother, connected, listing, recording, served, servedOverHttp } from './as-process.js';
import { until } from '../../test-support/waiting.js';
import type { Received } from './in-front.js';
import { begun, callHeaders, callOf, post, statelessCall } from './raw-clients.js';

const own = "'whoami': {},";
/** Answers a call of `slow` late. */
const slowly = `if (method === 'tools/call' && params.name === 'slow') return setTimeout(() => print({ id, result: { content: [{ type: 'text', text: 'finished' }] } }), 1500);
  if (method === 'tools/call' && params.name === 'die') return process.exit(1);`;

/** Makes the server's name its process id. */
const naming = ({ edit }: ReturnType<typeof recording>) => edit("name: 'recording'", 'name: String(process.pid)');

test('--idle ends an unused session and its server, but no session with a pending call', async () => {
  // The server ends at once, so it answers no call after its session was closed.
  const ending = "global.ending ??= process.stdin.on('end', () => process.exit());";
  const server = recording(listing('slow', 'quick') + own + "'tools/call': { content: [] },", ending + slowly);
  naming(server);
  const gateway = await servedOverHttp(['--idle', '0.4', ...server.command]);
  const unused = await begun(gateway.url);
  const busy = await begun(gateway.url);
  const called = busy.send(callOf('slow'));
  // Clients without sessions share one, and a request after another keeps it open.
  await (await post(gateway.url, statelessCall('quick'), callHeaders('quick'))).text();
  const statelessly = post(gateway.url, statelessCall('slow'), callHeaders('slow'));
  await expect.poll(() => isRunning(unused.pid)).toBe(false);
  expect((await unused.send({ id: 1, method: 'ping' })).status).toBe(404);
  await gateway.logged(/session ended client="same 1" reason="nobody has used it"/);
  expect(await (await called).text()).toContain('finished');
  expect(await (await statelessly).text()).toContain('finished');
});

test('The gateway and its server end when a client of 2026-07-28 over stdio leaves', async () => {
  const server = recording(
    listing('search') + "'tools/call': { content: [{ type: 'text', text: String(process.pid) }] },",
  );
  const gateway = served(server.command);
  gateway.write(statelessCall('search'));
  const { result } = await gateway.message(({ id }) => id === 1);
  const pid = Number(result.content[0]!.text);
  expect(isRunning(pid)).toBe(true);
  gateway.hangUp();
  expect(await gateway.ended).toBe(0);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('Nothing passes between a client and a server while it is not the approved one', async () => {
  const results = `${listing('search')} 'logging/setLevel': {}, 'resources/subscribe': {},`;
  const unasked = `
    const say = (of, params) => print({ method: 'notifications/' + of, params });
    const sayAll = () => { say('message', { level: 'info', data: 'SECRET' }); say('tools/list_changed', {}); say('resources/updated', { uri: 'r:1/part' }); };
    if (method === 'notifications/initialized') { sayAll(); print({ id: 'q', method: 'roots/list' }); }
    if (method === 'tools/list') setImmediate(sayAll);
    if (method === 'tools/call' || (method === 'tools/list' && require('fs').existsSync(LOG + '.end'))) process.exit(1);`;
  const server = recording(results, unasked, 'tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}');
  const options = await approving(server);
  let seen = server.got().length;
  /** What the server got since the last time, but for requests for its tools, which may be compared with the approved ones. */
  const reached = () => {
    const lines = server.got().slice(seen);
    seen += lines.length;
    const messages = lines.map((line) => JSON.parse(line) as Partial<Received> & { params?: { uri?: string } });
    const shown = messages.map(({ method, params, error }) => [method ?? error?.message, params?.uri ?? ''].join(' '));
    return shown.filter((message) => message !== 'tools/list ');
  };
  const begins = ['initialize ', 'notifications/initialized ', 'This client does not know "roots/list". '];
  const gateway = connected([...options, ...server.command]);
  const passed = () => new Set(gateway.lines.splice(0).flatMap((line) => (JSON.parse(line) as Received).method ?? []));
  const all = ['message', 'tools/list_changed', 'resources/updated'].map((name) => `notifications/${name}`);
  for (const uri of ['r:1', 'r:2', 'r:3']) await gateway.request('resources/subscribe', { uri });
  await gateway.request('tools/list');
  await gateway.message(({ method }) => method === all[2]);
  expect([passed(), reached()]).toEqual([
    new Set(all),
    [...begins, ...[1, 2, 3].map((n) => `resources/subscribe r:${n}`)],
  ]);

  becomeAnother(server);
  expect((await gateway.call('search')).error?.message).toContain('ended with exit code 1');
  passed();
  expect((await gateway.call('search')).error?.message).toContain('has another name than when it was approved');
  for (const [method, params] of Object.entries({
    'resources/list': {},
    'resources/read': { uri: 'r:1' },
    'resources/subscribe': { uri: 'r:4' },
    'prompts/list': {},
    'prompts/get': { name: 'p' },
    'completion/complete': { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'b' } },
    'logging/setLevel': { level: 'info' },
  }))
    expect((await gateway.request(method, params)).error).toEqual({
      code: -32603,
      message: 'server is not the server that was approved. Nothing was sent to it.',
    });
  gateway.write({ method: 'notifications/roots/list_changed' });
  await gateway.request('resources/unsubscribe', { uri: 'r:2' });
  expect([passed(), reached()]).toEqual([new Set(), ['tools/call ', ...begins]]);
  const other = connected([...options, ...server.command]);
  expect((await other.message(({ id }) => id === 'i')).result).toEqual({
    serverInfo: { name: 'server', version: '0' },
    capabilities: { tools: {} },
    protocolVersion: '2025-11-25',
  });
  other.hangUp();
  await other.ended;
  expect(reached()).toEqual(begins);

  writeFileSync(`${server.log}.end`, '');
  expect((await gateway.request('tools/list')).error?.message).toContain('ended with exit code 1');
  rmSync(`${server.log}.end`);
  server.edit("name: 'another'", "name: 'recording'");
  expect(await gateway.names()).toEqual(['search']);
  await gateway.message(({ method }) => method === all[2]);
  await until(() => server.got().at(-1)?.includes('r:3') === true);
  expect([passed(), reached()]).toEqual([
    new Set(all),
    [...begins, 'resources/subscribe r:1', 'resources/subscribe r:3'],
  ]);
  gateway.write({ method: 'notifications/roots/list_changed' });
  await until(() => reached().includes('notifications/roots/list_changed '));
});

test("A long structuredContent is shortened, also in a task's result, and no tool has an output schema", async () => {
  const search = { name: 'search', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } };
  const long = `{ content: [], structuredContent: { text: 'x'.repeat(5000) } }`;
  const server = recording(
    `${listing(search)} 'tools/call': params?.task ? { task: { taskId: 't1', status: 'completed' } } : ${long}, 'tasks/result': ${long},`,
    '',
    'tools: {}, tasks: { requests: { tools: { call: {} } } }',
  );
  const gateway = connected(['--max-result-length', '300', ...server.command]);
  expect(JSON.stringify(await gateway.request('tools/list'))).not.toContain('outputSchema');
  const isShort = ({ result }: Awaited<ReturnType<typeof gateway.request>>) =>
    JSON.stringify(result).length < 800 && result.structuredContent === undefined && result.content.length === 1;
  expect(isShort(await gateway.request('tools/call', { name: 'search' }))).toBe(true);
  await gateway.request('tools/call', { name: 'search', task: {} });
  expect(isShort(await gateway.request('tasks/result', { taskId: 't1' }))).toBe(true);
});

test.runIf(process.platform === 'linux')(
  'Twenty sessions with a server over stdio have twenty processes, which end with the gateway',
  async () => {
    const server = recording(listing('search'));
    naming(server);
    const gateway = await servedOverHttp(server.command);
    await gateway.logged(/server ended/); // the trial at the start
    const sessions = await Promise.all(Array.from({ length: 20 }, () => begun(gateway.url)));
    const children = () =>
      execFileSync('ps', ['-e', '-o', 'ppid=,args='], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.trim().startsWith(`${gateway.pid} `));
    expect(new Set(sessions.map(({ pid }) => pid)).size).toBe(20);
    expect(children().filter((line) => line.includes(server.file))).toHaveLength(20);
    // The one more process ends the servers if the gateway is killed.
    expect(children()).toHaveLength(21);
    await sessions[0]!.end();
    await expect.poll(() => isRunning(sessions[0]!.pid)).toBe(false);
    gateway.kill('SIGKILL');
    for (const { pid } of sessions) await expect.poll(() => isRunning(pid)).toBe(false);
  },
);

test('Numbers beyond 2^53 are ids of their own over HTTP', async () => {
  const hanging = "if (method === 'tools/call') return;";
  const gateway = await servedOverHttp(recording(listing('hang'), hanging).command);
  const session = await begun(gateway.url);
  const hang = (id: string) =>
    post(gateway.url, `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"hang"}}`, session.headers);
  const statuses = [];
  for (const id of ['9007199254740992', '9007199254740993', '9007199254740993']) statuses.push((await hang(id)).status);
  expect(statuses).toEqual([200, 200, 400]);
  const ping = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}';
  expect(await (await post(gateway.url, ping, session.headers)).text()).toContain('"id":12345678901234567890,"result"');
});
