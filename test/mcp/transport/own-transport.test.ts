import { expect, test, vi } from 'vitest';
import { type ClientTransport, connect } from '../../../src/mcp/index.js';
import { ownTransport } from '../../../src/mcp/transport/own-transport.js';

/** A program's transport, whose calls the test sees, and what the client makes of it. */
async function opened(maxMessageBytes = 10) {
  const order: string[] = [];
  const noting =
    (what: string) =>
    async (...given: unknown[]) =>
      void order.push([what, ...given.map((each) => JSON.stringify(each))].join(' '));
  const own: ClientTransport = {
    start: noting('start'),
    send: noting('send'),
    close: async () => (order.push('close'), Promise.reject(new Error('closed before'))),
    setProtocolVersion: (revision) => order.push(`speaks ${revision}`),
  };
  const transport = ownTransport(own, maxMessageBytes);
  const receiver = { receive: vi.fn(() => true), isPending: () => true, ended: vi.fn() };
  await transport.start(receiver);
  return { order, own, transport, ...receiver };
}

test("A program's transport is started, told the revision, given each message and closed, in this order", async () => {
  const { order, own, transport, receive, ended } = await opened();
  const { signal } = new AbortController();
  const onWritten = () => order.push('written');
  transport.protocolVersion = undefined;
  transport.protocolVersion = '2025-11-25';
  expect(await transport.send({ text: '{"a":1.0}', method: 'a', signal, onWritten })).toBeUndefined();
  own.onmessage!('0123456789' as never);
  own.onmessage!({ b: 2 } as never);
  expect(receive.mock.calls).toEqual([['0123456789'], ['{"b":2}']]);
  await transport.close();
  own.onmessage!('late' as never);
  own.onclose!();
  expect(receive).toHaveBeenCalledTimes(2);
  expect(ended).not.toHaveBeenCalled();
  expect(order).toEqual(['start', 'speaks 2025-11-25', 'written', 'send {"a":1} {"text":"{\\"a\\":1.0}"}', 'close']);
});

test('The option maxMessageBytes also limits the messages of a transport of the program', async () => {
  const own: ClientTransport = {
    start: () => Promise.resolve(),
    send: () => Promise.resolve().then(() => own.onmessage!('x'.repeat(101) as never)),
    close: () => Promise.resolve(),
  };
  await expect(connect(own, { maxMessageBytes: 100 })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

const hint = 'Connect again, with a new transport.';
test.each<[string, (own: ClientTransport) => void, object, string[]]>([
  ['closes', (own) => own.onclose!(), { code: 'CONNECTION_LOST', message: 'The transport has closed.', hint }, []],
  [
    'fails',
    (own) => {
      own.onerror!(new Error('cable pulled'));
      own.onclose!();
    },
    { code: 'CONNECTION_LOST', message: 'The transport has closed: cable pulled', hint },
    [],
  ],
  [
    'sends too much',
    (own) => own.onmessage!('01234567890' as never),
    { code: 'LIMIT_EXCEEDED', message: 'The server sent a message of more than 10 bytes.' },
    ['close'],
  ],
])("A program's transport that %s ends the session once", async (_, end, error, told) => {
  const { own, order, ended, receive } = await opened();
  end(own);
  own.onmessage!('more' as never);
  own.onclose!();
  expect(ended.mock.calls).toMatchObject([[error]]);
  expect([receive.mock.calls, order]).toEqual([[], ['start', ...told]]);
});
