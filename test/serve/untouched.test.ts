import { describe, expect, test } from 'vitest';
import { memberText } from '../../src/json/index.js';
import { asked, echoing as server, greeted, type Received } from './in-front.js';

const call = (id: number | string, tool: string, rest = '') =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"${tool}"${rest}}}`;

describe('messages through the gateway', () => {
  test('each tool of the list is the one of the wire, to the character', async () => {
    await using gateway = greeted(server);
    expect(await asked(gateway, 'tools/list', {}, 1)).toContain(
      '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo", "inputSchema":{"type":"object","properties":{"10":{"maximum":1e400},"9":{"type":"integer"}},"x":1.0}},',
    );
  });

  test('arguments reach the server as they are written, and beside a repaired one the others do', async () => {
    await using gateway = greeted(server);
    gateway.write(call('a', 'echo', ',"arguments": {"n": 12345678901234567890, "f": 1.0}'));
    gateway.write(call('b', 'echo', ',"arguments": {"n": 12345678901234567890, "9": "7"}'));
    // The server answers with the text of its params.
    const got = async (id: string) => {
      const text = memberText(await gateway.line((message) => message['id'] === id), ['result', 'got']);
      return JSON.parse(text!) as string;
    };
    expect(await got('a')).toBe('{"name":"echo","arguments":{"n": 12345678901234567890, "f": 1.0}}');
    expect(await got('b')).toBe('{"name":"echo","arguments":{"n": 12345678901234567890, "9": 7}}');
  });

  test('announcements and answers keep their order, even if they come at once', async () => {
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

  test('a request of the server reaches the client, and its answer the server, as they are written', async () => {
    await using gateway = greeted(server);
    gateway.write(call(1, 'ask'));
    const asked = await gateway.line(({ method }) => method === 'elicitation/create');
    expect(memberText(asked, ['params'])).toBe('{"message":"?","n":1.50}');
    gateway.write(
      `{"jsonrpc":"2.0","id":${memberText(asked, ['id'])},"result":{"action":"accept","content":{"n":2.50}}}`,
    );
    const answer = await gateway.line(({ id }) => id === 1);
    expect(JSON.parse(memberText(answer, ['result', 'got'])!)).toBe('{"action":"accept","content":{"n":2.50}}');
  });

  test("the client's cancellations reach the server with their reasons, and the server's reach the client", async () => {
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
