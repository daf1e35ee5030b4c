import { describe, expect, test } from 'vitest';
import { asked, echoing as server, greeted, type Received } from './in-front.js';

const call = (id: number | string, tool: string, rest = '') =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"${tool}"${rest}}}`;

describe('messages through the gateway', () => {
  test('Each tool of the list is that of the server, to the character', async () => {
    await using gateway = greeted(server);
    // It has no logging, which is nothing that its client has to know.
    expect(await asked(gateway, 'logging/setLevel', { level: 'info' })).toContain('"result":{}');
    expect(await asked(gateway, 'tools/list', {}, 1)).toContain(
      '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo", "inputSchema":{"type":"object","properties":{"10":{"maximum":1e400},"9":{"type":"integer"}},"x":1.0}},',
    );
  });

  test('Announcements and answers keep their order, even if they arrive together', async () => {
    await using gateway = greeted(server);
    gateway.write(call(7, 'many', ',"_meta":{"progressToken":"mine"}'));
    await gateway.line(({ method }) => method === 'notifications/tools/list_changed');
    const sent = gateway.lines.slice(1).map((line) => JSON.parse(line) as Received);
    expect(sent.map(({ id, method }) => id ?? method)).toEqual([
      'notifications/progress',
      'notifications/message',
      'notifications/progress',
      7,
      'notifications/tools/list_changed',
    ]);
    for (const at of [0, 2]) expect(sent[at]).toMatchObject({ params: { progressToken: 'mine' } });
  });

  test("A request of the server and the client's answer pass as they are written", async () => {
    await using gateway = greeted(server);
    gateway.write(call(1, 'ask'));
    const asked = await gateway.line(({ method }) => method === 'elicitation/create');
    expect(asked).toContain('"params":{"message":"?","n":1.50}');
    const answer = '{"action":"accept","content":{"n":2.50}}';
    gateway.write(`{"jsonrpc":"2.0","id":${String((JSON.parse(asked) as Received).id)},"result":${answer}}`);
    expect(await gateway.line(({ id }) => id === 1)).toContain(JSON.stringify(answer));
  });

  test('A cancellation passes with its reason, from the client to the server and back', async () => {
    await using gateway = greeted(server);
    gateway.write(call(5, 'hang'));
    const logged = (isIt: (data: unknown) => boolean) =>
      gateway.message(({ method, params }) => method === 'notifications/message' && isIt(params.data));
    await logged((data) => data === 'hanging');
    gateway.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"enough"}}');
    const heard = await logged((data) => typeof data === 'object');
    expect(heard).toMatchObject({ params: { data: { reason: 'enough', isSame: true } } });
    gateway.write(call(6, 'ask-and-forget'));
    const { id } = await gateway.message(({ method }) => method === 'elicitation/create');
    const back = await gateway.message(({ method }) => method === 'notifications/cancelled');
    expect(back).toMatchObject({ params: { requestId: id, reason: 'never mind' } });
  });
});
