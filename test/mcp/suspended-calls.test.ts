import { expect, test, vi } from 'vitest';
import { messageOf } from '../../src/json/index.js';
import { suspendedCalls, type SuspendableCall } from '../../src/mcp/index.js';
import { failureOf } from './calling.js';

type Call = SuspendableCall<string, string>;

const alive = () => new AbortController().signal;

/** A call that asks these questions in turn, and has the answers as its result. */
const asking =
  (...questions: string[]) =>
  async ({ ask }: Call) => {
    const answers: string[] = [];
    for (const question of questions) answers.push(await ask(question, alive()));
    return answers;
  };

/** A call that waits at a question, with what ended it. */
function waiting() {
  let ended: unknown = 'nothing';
  const work = ({ signal, ask }: Call) => {
    signal.addEventListener('abort', () => {
      ended = signal.reason;
    });
    return ask('waits', alive());
  };
  return { work, ended: () => ended };
}

test('Each question of a call that waits has an id of its own, by which it is answered once', async () => {
  const calls = suspendedCalls<string, string, string[]>(1000);
  const [first, other] = await Promise.all([calls.start(asking('a', 'b')), calls.start(asking('c'))]);
  const { id } = first as { id: string };
  expect([first, other]).toMatchObject([{ question: 'a' }, { question: 'c' }]);
  expect([calls.find(id), calls.find((other as { id: string }).id), calls.find('x')]).toEqual(['a', 'c', undefined]);
  const second = (await calls.answer(id, '1')) as { id: string };
  expect(second).toEqual({ question: 'b', id: expect.not.stringContaining(id) as string });
  const over = await failureOf(calls.answer(id, 'again'));
  expect(over).toMatchObject({
    code: 'CONNECTION_LOST',
    outcomeUnknown: true,
    title: 'The call that asked this is over, so its question cannot be answered any more.',
    hint: 'Before revision 2026-07-28 a call waits for its answer in the process, and with the tools, that it was made with, for a limited time.',
  });
  expect(await calls.answer(second.id, '2')).toEqual({ result: ['1', '2'] });
  expect(await calls.start(asking())).toEqual({ result: [] });
});

test('A question that its server takes back is not put to anybody, and its call goes on', async () => {
  const calls = suspendedCalls<string, string, unknown>(1000);
  const taken = new AbortController();
  const step = await calls.start(async ({ ask }) => {
    const back = ask('taken back', taken.signal).catch(messageOf);
    taken.abort();
    return Promise.all([back, ask('one', alive()), ask('two', alive())]);
  });
  expect(step).toMatchObject({ question: 'one' });
  const next = await calls.answer((step as { id: string }).id, '1');
  expect(next).toMatchObject({ question: 'two' });
  const end = await calls.answer((next as { id: string }).id, '2');
  expect(end).toEqual({ result: ['The server has taken its question back.', '1', '2'] });
});

test('A call that waits is ended with the request that waits for it, by its limit, by a hundred others, or with all', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const calls = suspendedCalls<string, string, string>(1000);
  const request = new AbortController();
  const failed = failureOf(
    calls
      .start(async ({ signal }) => new Promise((_, reject) => (signal.onabort = reject)), request.signal)
      .catch(() => Promise.reject(new Error('ended'))),
  );
  const answered = waiting();
  const { id } = (await calls.start(answered.work, request.signal)) as { id: string };
  request.abort('given up');
  expect([(await failed).message, answered.ended()]).toEqual(['ended', 'nothing']);
  expect(await calls.answer(id, 'in time')).toEqual({ result: 'in time' });
  const late = waiting();
  const { id: lateId } = (await calls.start(late.work)) as { id: string };
  await vi.advanceTimersByTimeAsync(999);
  expect([calls.find(lateId), late.ended()]).toEqual(['waits', 'nothing']);
  await vi.advanceTimersByTimeAsync(1);
  expect([calls.find(lateId), late.ended(), answered.ended()]).toEqual([
    undefined,
    'The question was not answered.',
    'nothing',
  ]);
  const many = Array.from({ length: 102 }, waiting);
  for (const { work } of many) await calls.start(work);
  const ends = () => many.filter(({ ended }) => ended() !== 'nothing').length;
  expect([ends(), many[1]!.ended(), many[2]!.ended()]).toEqual([2, 'The question was not answered.', 'nothing']);
  let go = () => {};
  const later = waiting();
  const asksLater = calls.start(async (call) => {
    await new Promise<void>((resolve) => (go = resolve));
    return later.work(call);
  });
  calls.close();
  go();
  await asksLater;
  expect([ends(), later.ended(), vi.getTimerCount()]).toEqual([102, 'The question was not answered.', 0]);
});
