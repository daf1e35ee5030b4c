import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nextRound, SuspendableCall, SuspendedCalls, wantedInput } from '../../src/serve/rounds.js';

const questionOf = (message: string, signal = new AbortController().signal) => ({
  method: 'elicitation/create',
  params: { message },
  wire: { text: `{"params":{"message":"${message}","n":1.0}}` },
  signal,
});

describe('A call that can be suspended', () => {
  test('has its answer, whether somebody waits for it or comes later', async () => {
    const awaited = new SuspendableCall();
    const next = awaited.next();
    awaited.settle({ result: '{"a":1}' });
    expect(await next).toEqual({ result: '{"a":1}' });
    const early = new SuspendableCall();
    early.settle({ result: '{"b":1}' });
    expect(await early.next()).toEqual({ result: '{"b":1}' });
  });

  test.each([
    ['before', ['ask', 'settle']],
    ['after', ['settle', 'ask']],
  ] as const)('has an answer rather than a question that came %s it', async (_, order) => {
    const call = new SuspendableCall();
    for (const step of order) {
      if (step === 'settle') call.settle({ result: '{}' });
      else void call.ask(questionOf('Who?'));
    }
    expect(await call.next()).toEqual({ result: '{}' });
  });

  test('asks one thing after the other', async () => {
    const call = new SuspendableCall();
    const first = call.ask(questionOf('Who?'));
    const asked = await call.next();
    if (!('request' in asked)) expect.fail('expected a question');
    expect(asked.request.params).toEqual({ message: 'Who?' });
    asked.answer({ result: '{"name":1}' });
    expect(await first).toEqual({ result: '{"name":1}' });
    const next = call.next();
    void call.ask(questionOf('Why?'));
    expect(await next).toMatchObject({ request: { params: { message: 'Why?' } } });
  });

  test('forgets what the server takes back', async () => {
    const taken = new AbortController();
    const asking = new SuspendableCall().ask(questionOf('Who?', taken.signal));
    taken.abort();
    await expect(asking).rejects.toThrow('taken back');
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
    const call = new SuspendableCall();
    const answers: unknown[] = [];
    const text = calls.suspend(call, { request: questionOf('Who?'), answer: (answer) => answers.push(answer) });
    const { requestState: state } = JSON.parse(text) as { requestState: string };
    return { call, answers, text, state };
  };
  const responseText = '{"inputResponses":{"asked":{"action":"accept","n":1.0}}}';

  test('ask their clients to the character, and go on with the answer as it is written, once', () => {
    const calls = new SuspendedCalls();
    const { call, answers, text, state } = suspended(calls);
    expect(text).toBe(
      `{"resultType":"input_required","inputRequests":{"asked":{"method":"elicitation/create","params":{"message":"Who?","n":1.0}}},"requestState":"${state}"}`,
    );
    expect(calls.resume({ requestState: state }, responseText)).toBe(call);
    expect(answers).toEqual([{ result: '{"action":"accept","n":1.0}' }]);
    expect(calls.resume({ requestState: state }, responseText)).toBeUndefined();
    expect(answers).toHaveLength(1);
    vi.advanceTimersByTime(3_600_000);
    expect(call.abort.signal.aborted).toBe(false);
  });

  test.each<[string, (state: string) => unknown, string]>([
    ['another state', () => 'mcp-verbatim:other', responseText],
    ['no state', () => undefined, responseText],
    ['no text for a state', () => 7, responseText],
    ['no answer', (state) => state, '{"inputResponses":{}}'],
  ])('are not resumed by %s', (_, stateOf, text) => {
    const calls = new SuspendedCalls();
    const { answers, call, state } = suspended(calls);
    expect(calls.resume({ requestState: stateOf(state) }, text)).toBeUndefined();
    expect(answers).toEqual([]);
    expect(call.abort.signal.aborted).toBe(false);
  });

  test('are ended after ten minutes, and not before', () => {
    const calls = new SuspendedCalls();
    const { call, state } = suspended(calls);
    vi.advanceTimersByTime(599_999);
    expect(call.abort.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(call.abort.signal.aborted).toBe(true);
    expect(calls.resume({ requestState: state }, responseText)).toBeUndefined();
  });

  test('are a hundred at most: the oldest makes room', () => {
    const calls = new SuspendedCalls();
    const hundred = Array.from({ length: 100 }, () => suspended(calls));
    expect(hundred.some(({ call }) => call.abort.signal.aborted)).toBe(false);
    suspended(calls);
    expect(hundred.map(({ call }) => call.abort.signal.aborted)).toEqual(hundred.map((_, at) => at === 0));
  });

  test('are all ended with the relay', () => {
    const calls = new SuspendedCalls();
    const all = [suspended(calls), suspended(calls)];
    calls.close();
    expect(all.map(({ call }) => call.abort.signal.aborted)).toEqual([true, true]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('A result that wants input', () => {
  test.each([
    ['an answer', '{"content":[]}'],
    ['an answer that speaks of it', '{"resultType":"complete","text":"input_required"}'],
    ['no object', '"input_required"'],
  ])('is none: %s', (_, text) => {
    expect(wantedInput(text)).toBeUndefined();
  });

  test.each<[string, string, unknown[]]>([
    ['nothing but its state', '{"resultType":"input_required"}', []],
    ['requests that are no object', '{"resultType":"input_required","inputRequests":7}', []],
    [
      'requests to the character',
      '{"resultType":"input_required","inputRequests":{"a":{"method":"m","params":{"n":1.0}},"b":{"method":"k"},"c":7}}',
      [
        ['a', 'm', '{"n":1.0}'],
        ['b', 'k', '{}'],
        ['c', '', '{}'],
      ],
    ],
  ])('has %s', (_, text, requests) => {
    expect(wantedInput(text)).toEqual({ requests });
  });

  test('is followed by the same request with the answers and the state, or without what there is not', () => {
    const own = '{"name":"a","arguments":{"n":1.0},"requestState":"old","inputResponses":{"old":1}}';
    expect(nextRound(own, '{"requestState":"s1"}', new Map([['a"', '{"n":2.0}']]))).toBe(
      '{"name":"a","arguments":{"n":1.0},"requestState":"s1","inputResponses":{"a\\"":{"n":2.0}}}',
    );
    const without = nextRound(own, '{}', new Map());
    expect(JSON.parse(without)).toEqual({ name: 'a', arguments: { n: 1 } });
    expect(without).toContain('{"n":1.0}');
  });
});
