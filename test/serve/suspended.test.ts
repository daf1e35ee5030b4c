import { expect, test } from 'vitest';
import { startAskingServer } from '../../test-support/servers/asking.js';
import { until } from '../../test-support/waiting.js';
import { answered, envelope, inFront } from './in-front.js';

test('after forty questions that nobody answers a later question is answered, and none outlives the gateway', async () => {
  await using server = await startAskingServer();
  const gateway = inFront({ url: server.url });
  const ask = async (more: object = {}) => {
    const params = { name: 'ask', arguments: {}, ...envelope({ elicitation: {} }), ...more };
    return (await answered(gateway, 'tools/call', params)).result;
  };
  const waiting = [];
  for (let count = 0; count <= 40; count++) waiting.push(await ask());
  const inputResponses = { asked: { action: 'accept', content: { name: 'Ada' } } };
  for (const { requestState } of [waiting[40]!, waiting[0]!])
    expect((await ask({ requestState, inputResponses })).content).toEqual([{ type: 'text', text: 'You are Ada.' }]);
  await gateway[Symbol.asyncDispose]();
  const calls = server.seen.filter(({ message }) => message.method === 'tools/call');
  expect(calls).toHaveLength(41);
  await until(() => calls.every(({ response }) => response.closed));
});
