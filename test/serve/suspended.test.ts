import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SuspendableCall, SuspendedCalls } from '../../src/serve/clients/suspended.js';
import type { Caller, Question } from '../../src/serve/upstream/upstream.js';

const envelope = (capabilities: object) => ({ 'io.modelcontextprotocol/clientCapabilities': capabilities });
const question = (message: string, signal = new AbortController().signal): Question => ({
  method: 'elicitation/create',
  paramsText: `{"message":"${message}","n":1.0}`,
  signal,
});

/** A call whose server does what the test says, and the request that waits for it. */
function begun(capabilities: object = { elicitation: {} }) {
  let settle!: (result: string) => void;
  let caller!: Caller;
  const call = new SuspendableCall(envelope(capabilities), (given) => {
    caller = given;
    return new Promise((resolve) => (settle = resolve));
  });
  const told: string[] = [];
  const waits = new AbortController();
  const front = { signal: waits.signal, notify: (method: string) => void told.push(method) };
  return { call, caller, settle, front, told, waits };
}

describe('A call of a client of 2026-07-28', () => {
  test('has its answer, whether somebody waits for it or comes later', async () => {
    const { call, settle, front } = begun();
    const next = call.next(front);
    settle('{"a":1}');
    expect(await next).toEqual({ result: '{"a":1}' });
    expect(await call.next(front)).toEqual({ result: '{"a":1}' });
  });

  test('asks one thing after the other, and loses none', async () => {
    const { call, caller, front } = begun();
    const answers = ['Who?', 'Why?'].map((message) => caller.ask(question(message)));
    for (const text of ['{"name":1}', '{"name":2}']) {
      const asked = await call.next(front);
      if (!('question' in asked)) expect.fail('expected a question');
      asked.answer({ result: text });
    }
    expect(await Promise.all(answers)).toEqual([{ result: '{"name":1}' }, { result: '{"name":2}' }]);
  });

  test.each([
    ['a client that cannot be asked', {}, '{"message":"?"}', 'elicitation/create'],
    [
      'a page for a client that knows forms',
      { elicitation: {} },
      '{"mode":"url","url":"https://a.example"}',
      'elicitation/create',
    ],
    ['what is no question for a user', { elicitation: {}, sampling: {} }, '{}', 'sampling/createMessage'],
  ])('declines %s', async (_, capabilities, paramsText, method) => {
    const { caller } = begun(capabilities);
    const { signal } = new AbortController();
    expect(await caller.ask({ method, paramsText, signal })).toEqual({ result: '{"action":"decline"}' });
  });

  test('forgets what the server takes back', async () => {
    const { call, caller, settle, front } = begun();
    const taken = new AbortController();
    const asking = caller.ask(question('Who?', taken.signal));
    taken.abort();
    await expect(asking).rejects.toThrow('taken back');
    settle('{}');
    expect(await call.next(front)).toEqual({ result: '{}' });
  });

  test('reports to the request that waits for it now, and to nobody in between', async () => {
    const { call, caller, settle, front, told } = begun();
    caller.notify('early', '{}');
    const next = call.next(front);
    caller.notify('during', '{}');
    settle('{}');
    await next;
    caller.notify('late', '{}');
    expect(told).toEqual(['during']);
  });

  test('ends with the request that waits for it', () => {
    const { call, caller, front, waits } = begun();
    void call.next(front);
    waits.abort('gone');
    expect([caller.signal.aborted, caller.signal.reason]).toEqual([true, 'gone']);
  });
});

describe('Suspended calls', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const suspended = (calls: SuspendedCalls) => {
    const { call, caller } = begun();
    const answers: unknown[] = [];
    const text = calls.suspend(call, { question: question('Who?'), answer: (answer) => answers.push(answer) });
    const { requestState: state } = JSON.parse(text) as { requestState: string };
    return { call, caller, answers, text, state };
  };
  const responseText = '{"inputResponses":{"asked":{"action":"accept","n":1.0}}}';

  test('ask their clients to the character, and go on with the answer as it is written, once', () => {
    const calls = new SuspendedCalls();
    const { call, caller, answers, text, state } = suspended(calls);
    expect(text).toBe(
      `{"resultType":"input_required","inputRequests":{"asked":{"method":"elicitation/create","params":{"message":"Who?","n":1.0}}},"requestState":"${state}"}`,
    );
    expect(calls.resume({ requestState: state }, responseText)).toBe(call);
    expect(answers).toEqual([{ result: '{"action":"accept","n":1.0}' }]);
    expect(calls.resume({ requestState: state }, responseText)).toBeUndefined();
    vi.advanceTimersByTime(3_600_000);
    expect([answers.length, caller.signal.aborted]).toEqual([1, false]);
  });

  test.each<[string, (state: string) => unknown, string]>([
    ['another state', () => 'mcp-verbatim:other', responseText],
    ['no state', () => undefined, responseText],
    ['no text for a state', () => 7, responseText],
    ['no answer', (state) => state, '{"inputResponses":{}}'],
  ])('are not resumed by %s', (_, stateOf, text) => {
    const calls = new SuspendedCalls();
    const { answers, caller, state } = suspended(calls);
    expect(calls.resume({ requestState: stateOf(state) }, text)).toBeUndefined();
    expect([answers, caller.signal.aborted]).toEqual([[], false]);
  });

  test('are not those of another principal', () => {
    const { state } = suspended(new SuspendedCalls());
    expect(new SuspendedCalls().resume({ requestState: state }, responseText)).toBeUndefined();
  });

  test('are ended after ten minutes, and not before', () => {
    const calls = new SuspendedCalls();
    const { caller, state } = suspended(calls);
    vi.advanceTimersByTime(599_999);
    expect(caller.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(caller.signal.aborted).toBe(true);
    expect(calls.resume({ requestState: state }, responseText)).toBeUndefined();
  });

  test('are a hundred at most: the oldest makes room', () => {
    const calls = new SuspendedCalls();
    const hundred = Array.from({ length: 100 }, () => suspended(calls));
    expect(hundred.some(({ caller }) => caller.signal.aborted)).toBe(false);
    suspended(calls);
    expect(hundred.map(({ caller }) => caller.signal.aborted)).toEqual(hundred.map((_, at) => at === 0));
  });

  test('are all ended with their principal', () => {
    const calls = new SuspendedCalls();
    const all = [suspended(calls), suspended(calls)];
    calls.close();
    expect(all.map(({ caller }) => caller.signal.aborted)).toEqual([true, true]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
