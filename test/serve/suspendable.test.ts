import { beforeEach, describe, expect, test, vi } from 'vitest';
import { suspendableCalls } from '../../src/serve/clients/suspendable.js';
import type { Caller, Question } from '../../src/serve/upstream/calls-under-way.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

const question = (message: string, signal = new AbortController().signal): Question => ({
  method: 'elicitation/create',
  paramsText: `{"message":"${message}","n":1.0}`,
  signal,
});

/** A client's request, and the messages that the client gets before the result. */
function request(paramsText = '{}', capabilities: object = { elicitation: {} }) {
  const notified: string[] = [];
  const over = new AbortController();
  return {
    ...{ paramsText, notified, over, signal: over.signal, params: JSON.parse(paramsText) as Record<string, unknown> },
    envelope: { 'io.modelcontextprotocol/clientCapabilities': capabilities },
    record: {},
    notify: (method: string) => void notified.push(method),
    onProgress: () => void notified.push('progress'),
  };
}

/** A call; the test decides what its server does. */
function begun(calls = suspendableCalls(), first = request()) {
  let settle = (_result: string) => {};
  let caller!: Caller;
  const outcome = calls.run(first, (given) => {
    caller = given;
    return new Promise((resolve) => (settle = resolve));
  });
  return { calls, first, caller, settle, outcome };
}

const stateIn = (text: string) => (JSON.parse(text) as { requestState: string }).requestState;

/** A call that has asked its client, and the client's means to answer. */
async function suspended(calls = suspendableCalls()) {
  const call = begun(calls);
  const answer = call.caller.ask(question('Who?'));
  const text = await call.outcome;
  return { ...call, answer, text, state: stateIn(text) };
}

const answering = (state: unknown, response = '{"action":"accept","n":1.0}') =>
  request(`{"requestState":${JSON.stringify(state)},"inputResponses":{"asked":${response}}}`);

const neverStarted = () => Promise.resolve('started anew');

describe('A call of a client of 2026-07-28', () => {
  test('A call of 2026-07-28 asks all its questions, one after the other', async () => {
    const { calls, caller, outcome } = begun();
    const answers = ['Who?', 'Why?'].map((message) => caller.ask(question(message)));
    const second = await calls.run(answering(stateIn(await outcome), '{"name":1}'), neverStarted);
    void calls.run(answering(stateIn(second), '{"name":2}'), neverStarted);
    expect(await Promise.all(answers)).toEqual([{ result: '{"name":1}' }, { result: '{"name":2}' }]);
  });

  test.each([
    ['a client that cannot be asked', {}, '{"message":"?"}', 'elicitation/create'],
    ['a page for a client that knows forms', { elicitation: {} }, '{"mode":"url"}', 'elicitation/create'],
    ['what is no question for a user', { elicitation: {}, sampling: {} }, '{}', 'sampling/createMessage'],
  ])('A call of 2026-07-28 declines %s', async (_, capabilities, paramsText, method) => {
    const { caller } = begun(suspendableCalls(), request('{}', capabilities));
    const { signal } = new AbortController();
    expect(await caller.ask({ method, paramsText, signal })).toEqual({ result: '{"action":"decline"}' });
  });

  test('A call of 2026-07-28 drops a question that the server withdraws before it was asked', async () => {
    const { calls, caller, settle, state } = await suspended();
    const taken = new AbortController();
    const asking = caller.ask(question('Why?', taken.signal));
    taken.abort();
    await expect(asking).rejects.toThrow('taken its question back');
    const resumed = calls.run(answering(state), neverStarted);
    settle('{}');
    expect(await resumed).toBe('{}');
  });

  test('A call of 2026-07-28 reports only to the request that waits for it, and ends with it', async () => {
    const { first, calls, caller, outcome } = begun();
    caller.notify('during', '{}');
    void caller.ask(question('Who?'));
    const state = stateIn(await outcome);
    caller.notify('in between', '{}');
    const second = answering(state);
    void calls.run(second, neverStarted);
    caller.notify('again', '{}');
    caller.onProgress?.({});
    expect([first.notified, second.notified]).toEqual([['during'], ['again', 'progress']]);
    second.over.abort('gone');
    expect([caller.signal.aborted, caller.signal.reason]).toEqual([true, 'gone']);
  });
});

describe('A suspended call', () => {
  test.each<[string, (state: string) => ReturnType<typeof request>]>([
    ['another state', () => answering('mcp-verbatim:other')],
    ['no state', () => request('{"inputResponses":{"asked":{}}}')],
    ['a state that is no text', () => answering(7)],
    ['no answer', (state) => request(JSON.stringify({ requestState: state, inputResponses: {} }))],
  ])('A suspended call is not resumed by %s', async (_, requestOf) => {
    const { calls, state, caller } = await suspended();
    expect(await calls.run(requestOf(state), neverStarted)).toBe('started anew');
    expect(caller.signal.aborted).toBe(false);
  });

  test('A suspended call is ended after ten minutes, and not before', async () => {
    const { calls, caller, state } = await suspended();
    vi.advanceTimersByTime(599_999);
    expect(caller.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(caller.signal.aborted).toBe(true);
    expect(await calls.run(answering(state), neverStarted)).toBe('started anew');
  });

  test('A suspended call is not resumed by another principal, and is ended with its own', async () => {
    const { calls, caller, state } = await suspended();
    expect(await suspendableCalls().run(answering(state), neverStarted)).toBe('started anew');
    calls.close();
    expect([caller.signal.aborted, vi.getTimerCount()]).toEqual([true, 0]);
  });
});
