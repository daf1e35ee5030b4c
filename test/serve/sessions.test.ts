import { PassThrough } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { eventStream } from '../../src/serve/http/event-stream.js';
import { HttpSession } from '../../src/serve/http/session.js';

/** A response to a client, which reads it. */
function reply() {
  let text = '';
  const stream = Object.assign(new PassThrough().setEncoding('utf8'), {
    ...{ setHeader: () => {}, writeHead: () => {}, flushHeaders: () => {} },
  }).on('data', (chunk: string) => (text += chunk));
  return { outgoing: stream as unknown as ServerResponse, text: () => text, lose: () => stream.destroy() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('The newest 8 MB and 10,000 of the events of lost streams are kept', async () => {
  const session = new HttpSession({ servers: [], tool: {}, log: () => {} }, 'id', () => {});
  const kept = async () => {
    const { outgoing, text, lose } = reply();
    session.listen(outgoing, '0');
    session.send('the end');
    while (!text().includes('the end')) await turn();
    lose();
    await turn();
    return [...text().matchAll(/^id: (\d+)/gm)].map(([, id]) => Number(id)).slice(0, -1);
  };
  const eight = 'ä'.repeat(4 * 1024 * 1024);
  session.send(eight);
  expect(await kept()).toEqual([1]);
  session.send(eight);
  expect(await kept()).toEqual([3]);
  session.send(`${eight}.`);
  expect(await kept()).toEqual([]);
  for (let count = 0; count <= 10_000; count++) session.send('small');
  const newest = await kept();
  expect([newest.length, newest[0]]).toEqual([10_000, 8]);
});

test('A silent stream gets a comment every 25 seconds until it is closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const { outgoing, text, lose } = reply();
  eventStream(outgoing, () => {}, new Set());
  const heard: string[] = [];
  for (const ms of [24_999, 1, 25_000]) {
    vi.advanceTimersByTime(ms);
    await turn();
    heard.push(text());
  }
  expect(heard).toEqual(['', ':\n\n', ':\n\n:\n\n']);
  lose();
  await turn();
  expect(vi.getTimerCount()).toBe(0);
});
