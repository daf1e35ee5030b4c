import { expect, test } from 'vitest';
import { greeted, scripted } from './in-front.js';

test("A server's message that no revision defines reaches no client", async () => {
  const sends = `if (method === 'notifications/initialized') {
      print({ method: 'vendor/strange', params: {} });
      print({ id: 'q', method: 'vendor/question', params: {} });
    }
    if (error) print({ method: 'notifications/message', params: { level: 'info', data: error.code } });`;
  await using front = greeted(scripted('', sends));
  expect(await front.line(({ method }) => method === 'notifications/message')).toContain('-32601');
  expect(front.lines.join('\n')).not.toContain('vendor');
});
