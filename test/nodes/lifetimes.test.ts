import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startHttpServer, type Answers, type Exchange, type HttpServer } from '../../test-support/servers/http.js';
import { until } from '../../test-support/waiting.js';
import { atUrl, execution, type NodeUnderTest } from './context.js';
import { built } from './packed.js';

let server: HttpServer;
let answers: Record<string, Answers[string]>;
beforeEach(async () => {
  let sessions = 0;
  answers = {
    initialize: ({ introduce }: Exchange) => introduce({}, { 'mcp-session-id': `s${++sessions}` }),
    'tools/list': { tools: [] },
    DELETE: ({ status }: Exchange) => status(200),
  };
  server = await startHttpServer(answers);
  onTestFinished(() => server.close());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

const times = (method: string) => server.methods().filter((each) => each === method).length;
const ended = () => server.seen.filter(({ verb }) => verb === 'DELETE').map(({ headers }) => headers['mcp-session-id']);
const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);

function listing(options: INodeParameters = {}, more: Partial<NodeUnderTest> = {}): NodeUnderTest {
  const parameters = { operation: 'list', options };
  return { type: built.node('McpVerbatim'), parameters, credentials: atUrl(server.url), ...more };
}

test('A session lasts for as long as its execution, for ten minutes between two requests, and for no other', async () => {
  const [one, other] = [execution(listing()), execution(listing())];
  await one.output();
  await minutes(9);
  await one.output();
  expect([times('initialize'), times('tools/list'), ended()]).toEqual([1, 1, []]);
  await other.output();
  await one.finish();
  await until(() => ended().length === 1);
  expect([times('initialize'), ended()]).toEqual([2, ['s1']]);
  await minutes(11);
  await until(() => ended().length === 2);
});

test('A kept session lists its tools for each execution, and ends as long after the last one as the option says', async () => {
  const node = listing({ keepConnection: 120 });
  const [one, other, last] = [execution(node), execution(node), execution(node)];
  await one.output();
  await minutes(9);
  await one.output();
  await other.output();
  expect([times('initialize'), times('tools/list')]).toEqual([1, 2]);
  await one.finish();
  await minutes(3);
  await other.output();
  await other.finish();
  await minutes(1);
  await last.output();
  expect([times('initialize'), times('tools/list'), ended()]).toEqual([1, 3, []]);
  await last.finish();
  await minutes(3);
  await until(() => ended().length === 1);
  await execution(listing()).output();
  expect(times('initialize')).toBe(2);
});

test('An execution that is cancelled while its node connects gives the connection up', async () => {
  answers['initialize'] = () => undefined;
  const run = execution(listing());
  const failed = expect(run.output()).rejects.toThrow('cancelled');
  await until(() => times('initialize') === 1);
  run.cancel();
  await failed;
});

test('The log has no secret of a credential, whatever name a server gives itself', async () => {
  answers['initialize'] = ({ introduce }: Exchange) => introduce({ serverInfo: { name: 'Bearer key-of-it' } });
  const credentials = { mcpVerbatimHttpApi: { url: server.url, authentication: 'bearer', token: 'key-of-it' } };
  const run = execution(listing({}, { credentials }));
  await run.output();
  await run.finish();
  expect(run.logged.join()).toMatch(/connected to .*hidden.*, MCP/);
  expect(run.logged.join()).not.toContain('key-of-it');
});

test("n8n's shutdown ends the kept sessions that no execution uses, and those of executions with them", async () => {
  // A copy of the package of its own: a shutdown is for ever.
  const { cache } = createRequire(import.meta.url);
  const ofPackage = () => Object.entries(cache).filter(([file]) => file.startsWith(join(built.folder, 'dist')));
  const forget = () => ofPackage().forEach(([file]) => Reflect.deleteProperty(cache, file));
  const others = ofPackage();
  onTestFinished(() => {
    forget();
    Object.assign(cache, Object.fromEntries(others));
  });
  forget();
  const ofN8n = () => undefined;
  process.on('SIGTERM', ofN8n);
  onTestFinished(() => void process.off('SIGTERM', ofN8n));
  const kept = (of: number) => listing({ keepConnection: 60 }, { settings: { id: `node ${of}` } });
  const [idle, busy, waiting] = [execution(kept(1)), execution(kept(2)), execution(kept(3))];
  const handlers: ((run: { status: string }) => void)[] = [];
  const hooks = { addHandler: (_: string, handler: (typeof handlers)[0]) => void handlers.push(handler) };
  await built.node('McpVerbatim').execute?.call(Object.assign(waiting.run(), { additionalData: { hooks } }));
  await idle.output();
  await idle.finish();
  await busy.output();
  process.emit('SIGTERM');
  await until(() => ended().length === 1);
  await busy.output();
  expect([times('initialize'), ended()]).toEqual([3, ['s2']]);
  for (const handler of handlers) handler({ status: 'waiting' });
  await until(() => ended().length === 2);
  await busy.finish();
  await until(() => ended().length === 3);
  expect(ended()).toEqual(['s2', 's1', 's3']);
});
