import { expect, test } from 'vitest';
import { messageOf } from '../../../src/json/index.js';
import { isSdkClient, sessionOf } from '../../../src/mcp/session/sdk-client.js';
import type { Session } from '../../../src/mcp/index.js';
import client from './sdk-client.json' with { type: 'json' };

interface Step {
  do: [method: keyof Session, ...given: unknown[]];
  /** The results of the client, in turn, or what it throws. */
  answers?: { throws?: unknown }[];
  sent?: unknown[];
  returns?: unknown;
  /** What changes at the client's transport before. */
  transport?: object;
}

test('A session over a client of the SDK has it do this and nothing else, and hands out its results and errors whole', async () => {
  let step: Step;
  let sent: unknown[] = [];
  const reports: unknown[] = [];
  const sdkClient = {
    ...structuredClone(client.about),
    getServerCapabilities: () => client.about.capabilities,
    getServerVersion: () => client.about.server,
    getInstructions: () => client.about.instructions,
    getNegotiatedProtocolVersion() {
      return this.revision;
    },
    notification: async (given: unknown) => void sent.push(given),
    async request(message: unknown, _schema: unknown, { onprogress, ...options }: Record<string, unknown>) {
      sent.push([message, { ...options, ...('signal' in options && { signal: 'GIVEN' }) }]);
      const answer = step.answers?.shift() ?? {};
      if (typeof answer === 'object' && 'throws' in answer) throw answer.throws;
      (onprogress as (report: object) => void)({ progress: sent.length });
      return answer;
    },
  };
  expect(isSdkClient(sdkClient)).toBe(true);
  expect(isSdkClient({ ...sdkClient, notification: 1 })).toBe(false);
  const ofVersion1 = Object.keys(sdkClient).filter((name) => name !== 'getNegotiatedProtocolVersion');
  const bare = sessionOf(Object.fromEntries(ofVersion1.map((name) => [name, () => undefined])) as never);
  expect(plain({ ...bare })).toEqual(client.bare);
  const session = sessionOf(sdkClient);
  const known: Record<string, unknown> = {
    GIVEN: (report: object) => reports.push(report),
    ALIVE: new AbortController().signal,
    ABORTED: AbortSignal.abort(),
    LISTS: async ({ listTools }: Pick<Session, 'listTools'>) =>
      void reports.push((await listTools()).tools.map(({ name }) => name)),
    FAILS: () => Promise.reject(new TypeError('Not now.')),
  };
  const given = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, each: unknown) => known[String(each)] ?? each);
  expect(plain({ ...session })).toEqual(client.session);
  // JSON's types are wider.
  for (step of structuredClone(client.steps) as unknown as Step[]) {
    Object.assign(sdkClient.transport, step.transport);
    const [method, ...args] = given(step.do) as Step['do'];
    const asked = session[method] as (...args: unknown[]) => unknown;
    const outcome = async () => asked(...args);
    const returns = plain(await outcome().catch(thrown));
    expect({ do: step.do, sent, returns }).toEqual({ do: step.do, sent: step.sent ?? [], returns: step.returns });
    sent = [];
  }
  expect(reports).toEqual(client.reports);
});

const thrown = (error: unknown) => ({ threw: Object.assign({ message: messageOf(error) }, error) });

const plain = (value: unknown): unknown => value && JSON.parse(JSON.stringify(value));
