import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HangError, peerIn, peerNames, startDriver } from '../../bench/peer.js';
import { measurable } from '../../bench/times.js';

/** Lists no tools, and never answers a call. */
const hanging = `
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, operation } = JSON.parse(line);
  if (operation === 'list') console.log(JSON.stringify({ id, result: { names: [] } }));
});
`;

test('A peer that hangs is ended, and a new process answers the next question', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-peer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'driver.mjs'), hanging);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const peer = peerIn(startDriver(folder), 'any');
  onTestFinished(() => peer.close());
  const hung = peer.call('http://127.0.0.1:9/', 'tool', {}).catch((error: unknown) => error);
  vi.advanceTimersByTime(20_000);
  expect(await hung).toBeInstanceOf(HangError);
  await expect(peer.list('http://127.0.0.1:9/')).resolves.toEqual([]);
});

test.each([
  ['alone', measurable.alone],
  ['clients', peerNames],
])('Every peer that is measured has a client in peers/%s.mjs', (file, names) => {
  const program = readFileSync(new URL(`../../bench/peers/${file}.mjs`, import.meta.url), 'utf8');
  const defined = [...program.matchAll(/^ {2}'([^']+)':/gm)].map(([, name]) => name);
  expect(defined).toEqual(expect.arrayContaining([...names]));
});
