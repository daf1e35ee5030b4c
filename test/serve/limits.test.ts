import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAskingServer } from '../../test-support/servers/asking.js';
import { bin } from '../cli/built.js';
import { listing, recording, servedOverHttp, stderrOf } from './as-process.js';
import { handshake, type Received } from './in-front.js';
import { begun, callHeaders, callOf, post, postHeaders, statelessCall, type Headers } from './raw-clients.js';

// Limits in docs/serve.md, each shown by the command as a process. Sizes are chosen so that no buffer of a system matters.

describe('data for a client that does not read', { timeout: 90_000 }, () => {
  const megabytes = 1_000_000;
  const server = () =>
    recording(`${listing('long')} 'tools/call': { content: [{ type: 'text', text: 'x'.repeat(${40 * megabytes}) }] },`);
  /** Two results are too much, and connections over HTTP may hold a part of one on their way. */
  const ids = [1, 2, 3];
  const tooMuch = 'more than 67108864 bytes wait for it';

  /** Sends a request, and reads nothing of the response. */
  const unread = (url: string, message: object, headers: Headers) => {
    const sent = request(url, { method: 'POST', headers: { ...postHeaders, ...headers } });
    // Without a listener, Node would read the response and discard it.
    sent.on('response', () => {}).on('error', () => {});
    sent.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
    onTestFinished(() => void sent.destroy());
  };

  test('With more than 64 MB of data waiting for clients, one session and its server end, and the others go on', async () => {
    const gateway = await servedOverHttp(server().command);
    const { headers } = await begun(gateway.url);
    const other = await begun(gateway.url);
    for (const id of ids) unread(gateway.url, callOf('long', id), headers);
    const [, reason] = await gateway.logged(/session ended client="same 1" reason="([^"]*)"/);
    expect(reason).toBe(tooMuch);
    // Before it ended the trial at the start.
    await gateway.logged(/server ended[^]*server ended/);
    expect((await other.send({ id: 1, method: 'ping' })).status).toBe(200);
  });

  test('With too much data waiting for clients of 2026-07-28, one of them is disconnected', async () => {
    const gateway = await servedOverHttp(server().command);
    for (const id of ids) unread(gateway.url, statelessCall('long', id), callHeaders('long'));
    const [, reason] = await gateway.logged(/client disconnected client="same 1" reason="([^"]*)"/);
    expect(reason).toBe(tooMuch);
  });

  test('A session with waiting data is closed if another client needs its place', async () => {
    // It has to read nothing for five seconds by the gateway's clock.
    const clock = 'const now = performance.now.bind(performance); performance.now = () => 10 * now();';
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(clock)}` };
    const gateway = await servedOverHttp(['--max-sessions', '1', ...server().command], { env });
    const { headers } = await begun(gateway.url);
    unread(gateway.url, callOf('long', 1), headers);
    await gateway.logged(/call client="same 1"/);
    while ((await begun(gateway.url)).status === 503) await new Promise((resolve) => setTimeout(resolve, 50));
    const [, reason] = await gateway.logged(/session ended client="same 1" reason="([^"]*)"/);
    expect(reason).toBe('another one needed its place');
  });

  test('Waiting data also counts over stdio', async () => {
    const child = spawn(bin, ['serve', ...server().command], { env: { PATH: process.env['PATH'] } });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdin.on('error', () => {});
    const { logged } = stderrOf(child);
    const calls = [1, 2].map((id) => JSON.stringify({ jsonrpc: '2.0', ...callOf('long', id) }));
    for (const line of [...handshake, ...calls]) child.stdin.write(`${line}\n`);
    const [, reason] = await logged(/session ended client="test 1" reason="([^"]*)"/);
    expect(reason).toBe(tooMuch);
  });
});

test('If a hundred calls wait for their users, one more cancels the oldest, also at its server', async () => {
  await using server = await startAskingServer();
  const gateway = await servedOverHttp(['--url', server.url]);
  const ask = async (id: number, more = {}) =>
    (await (await post(gateway.url, statelessCall('ask', id, more), callHeaders('ask'))).json()) as Received;
  const answer = (id: number, requestState: string) =>
    ask(id, { requestState, inputResponses: { asked: { action: 'accept', content: { name: 'Ada' } } } });
  const states: string[] = [];
  for (let id = 0; id < 101; id++) states.push((await ask(id)).result.requestState);
  expect((await answer(200, states[0]!)).error?.message).toContain('requestState has expired.');
  for (const state of [states[1]!, states[100]!])
    expect((await answer(201, state)).result.content[0]!.text).toBe('You are Ada.');
  expect(server.cancelled).toHaveLength(1);
});
