import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { admit, hasToken, type Access } from '../../src/serve/http/access.js';
import { cli } from '../cli/run.js';
import { echoing, envelope, inFrontOverHttp, scripted } from './in-front.js';
import { post } from './raw-clients.js';

const origins = ['https://app.example'];
const requests = JSON.parse(
  readFileSync(new URL('./admission.json', import.meta.url), 'utf8').replaceAll('HOSTNAME', hostname()),
) as { what: string; outcome: string; door: Access; headers: Record<string, string>; refusal?: object }[];

test.each(requests)('A request over HTTP $what $outcome', ({ outcome, door, headers, refusal }) => {
  const admission = () => admit(headers, { ...door, origins });
  if (refusal) expect(admission).toThrow(expect.objectContaining(refusal));
  else {
    admission();
    expect(hasToken(headers, { ...door, origins })).toBe(outcome === 'is admitted');
  }
});

test('serve over HTTP ends with the reason if none of its programs starts', async () => {
  const { code, stderr } = await cli(['serve', '--port', '0', '--', '/nowhere/nosuch']);
  expect(code).toBe(4);
  expect(stderr).toContain('The command "/nowhere/nosuch" was not found.');
});

test('A client that only listens for changes does not delay the end', async () => {
  const server = scripted('', '', 'tools: { listChanged: true }');
  let text = Promise.resolve('');
  {
    // Longer than this test may take.
    await using gateway = await inFrontOverHttp(server, { graceMs: 600_000 });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const params = { notifications: { toolsListChanged: true }, ...envelope() };
    text = (await post(gateway.url, { id: 1, method: 'subscriptions/listen', params }, headers)).text();
  }
  expect(await text).toContain('"id":1,"result":{"resultType":"complete"');
});

test('A message over HTTP that is too long or not JSON is refused', async () => {
  await using gateway = await inFrontOverHttp(echoing);
  expect((await post(gateway.url, '{')).status).toBe(400);
  const headers = { 'content-type': 'application/json' };
  const sent = request(gateway.url, { method: 'POST', headers }).on('error', () => {});
  for (let megabytes = 0; megabytes < 9; megabytes++) sent.write(' '.repeat(1024 * 1024));
  expect(await new Promise((resolve) => sent.on('response', resolve))).toMatchObject({
    statusCode: 413,
    headers: { connection: 'close' },
  });
});
