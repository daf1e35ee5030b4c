import { isObject, type JsonObject } from '../../json/index.js';
import { anySignal } from '../runtime/node-runtime.js';
import { wireSlice } from '../wire/wire-text.js';
import type { Connection } from '../connection/connection.js';
import type { Progress } from '../connection/pending-requests.js';
import { readAnswer, type WireAnswer } from '../wire/envelope.js';
import { beginning, brokenAnswer } from '../errors/wire-problem.js';
import { statelessRevision } from '../connection/negotiate.js';
import { pause, settlesWithin, timerMs, unlimitedMs } from '../runtime/timers.js';
import { HandlerFailure, type Elicitor } from '../elicitation/elicitor.js';
import { CallPaused, type Continuation } from '../elicitation/elicitation.js';
import { elicitationIn, inputRequired, refuseTooMany } from '../elicitation/rounds.js';
import { McpError } from '../errors/errors.js';
import { Aborted } from '../errors/failures.js';

/** What a client names among its capabilities that follows tasks (2026-07-28). */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/**
 * What a call says that has to become a task, where the server takes calls of its tool in no other way (2025-11-25,
 * Tasks, Tool-Level Negotiation). In 2026-07-28 the server decides, and the call has no such member.
 */
export function taskParams(
  { definition }: { definition: JsonObject },
  { handshake: { protocolVersion, capabilities } }: Pick<Connection, 'handshake'>,
): { task: JsonObject } | undefined {
  const { execution } = definition;
  const insists = isObject(execution) && execution['taskSupport'] === 'required';
  if (!insists || protocolVersion >= statelessRevision) return undefined;
  const path = ['tasks', 'requests', 'tools', 'call'];
  const supported = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), capabilities);
  return isObject(supported) ? { task: {} } : undefined;
}

/** The task that a server has made of a request: the result itself in 2026-07-28, a member of it in 2025-11-25. */
export function taskIn(params: JsonObject, result: JsonObject): JsonObject | undefined {
  const task = result['resultType'] === 'task' ? result : 'task' in params ? result['task'] : undefined;
  return isObject(task) && typeof task['taskId'] === 'string' ? task : undefined;
}

/** Makes a function that tells of the states of a task what each says that the one before has not. */
export function statusReporter(tell: (report: Progress & { message: string }) => void): (task: JsonObject) => void {
  let reports = 0;
  let last: unknown;
  return ({ statusMessage }) => {
    if (typeof statusMessage !== 'string' || statusMessage === last) return;
    last = statusMessage;
    tell({ progress: ++reports, message: statusMessage });
  };
}

/** Sends a request about a task; a JSON-RPC error is thrown. */
export type TaskRequest = (
  method: string,
  params: JsonObject,
  more?: { signal?: AbortSignal; idleTimeoutMs?: number },
) => Promise<Answered>;

interface FollowOptions {
  request: TaskRequest;
  /** What ends the waiting. */
  signal: AbortSignal;
  elicitor: Elicitor | undefined;
  /** Where the task is taken up at a question of before (2026-07-28). */
  continuation?: Continuation | undefined;
}

type Answered = Extract<WireAnswer, { result: JsonObject }>;

/** How often the server is asked where it does not say, and at most. */
const pollMs = { usual: 1000, least: 100 };

/** How long a server may take to accept the cancellation of a task. */
const cancelMs = 1000;

/**
 * Follows a task to its end, and answers the server's questions on the way. A task that is given up is cancelled
 * at the server, unless the handler of a question has paused the call.
 *
 * @returns the answer to the request that became the task
 * @throws McpError where the server has cancelled it
 */
export async function followTask(first: JsonObject, options: FollowOptions): Promise<WireAnswer> {
  const about = { taskId: String(first['taskId']) };
  const left = new AbortController();
  const over = new AbortController();
  const polls = first['resultType'] === 'task';
  try {
    return await (polls ? polled : collected)(first, { ...options, about, left: left.signal, over });
  } catch (error) {
    const isPaused = polls && error instanceof HandlerFailure && error.cause instanceof CallPaused;
    if (!over.signal.aborted && !isPaused)
      await settlesWithin(cancelMs, options.request('tasks/cancel', about, { idleTimeoutMs: cancelMs }));
    throw error;
  } finally {
    left.abort();
  }
}

interface Following extends FollowOptions {
  about: { taskId: string };
  /** Aborted when the task is followed no more. */
  left: AbortSignal;
  /** Aborted when the server itself says that the task is over. */
  over: AbortController;
}

/** 2026-07-28: the result, an error and questions stand in the task; answers go into it (ext-tasks, Task Polling). */
async function polled(first: JsonObject, following: Following): Promise<WireAnswer> {
  const { request, elicitor, about, continuation } = following;
  const known = new Map(Object.entries(continuation?.inputResponses ?? {}));
  const sent = new Set<string>();
  if (continuation) await answer(continuation.inputRequests);
  for await (const { task, wire } of states(first, following)) {
    if (isEnded(task)) {
      const text = `{"result":${wireSlice(wire, ['result', 'result']) ?? 'null'}}`;
      const ended = readAnswer(task, { text });
      if (!ended) throw brokenAnswer('tasks/get', task);
      return ended;
    }
    if (isObject(task['inputRequests'])) await answer(task['inputRequests']);
  }
  throw new Aborted();

  async function answer(inputRequests: JsonObject): Promise<void> {
    refuseTooMany(inputRequests);
    const open = Object.entries(inputRequests).filter(([key]) => !sent.has(key));
    for (const [key, asked] of open) {
      if (known.has(key)) continue;
      const question = elicitationIn(asked);
      if (!question || !elicitor) throw inputRequired('tools/call', { inputRequests });
      const here = { ...about, inputRequests: Object.fromEntries(open), inputResponses: Object.fromEntries(known) };
      known.set(key, await elicitor.ask(question, { continuation: here }));
    }
    if (open.length === 0) return;
    const inputResponses = Object.fromEntries(open.map(([key]) => [key, known.get(key)]));
    await request('tasks/update', { ...about, inputResponses });
    for (const [key] of open) sent.add(key);
  }
}

/** 2025-11-25: the result is fetched, and questions come while it is being fetched (Tasks, Task Message Flow). */
async function collected(first: JsonObject, following: Following): Promise<WireAnswer> {
  const { request, signal, left, about } = following;
  const come = new AbortController();
  let fetching: Promise<WireAnswer> | undefined;
  for await (const { task } of states(first, following, come.signal)) {
    if (isEnded(task)) return request('tasks/result', about);
    if (task['status'] !== 'input_required' || fetching) continue;
    // Answered when the task is over; the limit of the whole call bounds it.
    fetching = request('tasks/result', about, { signal: anySignal([left, signal]), idleTimeoutMs: unlimitedMs });
    void fetching
      .catch(() => {})
      .finally(() => {
        come.abort();
      });
  }
  if (signal.aborted || !fetching) throw new Aborted();
  return fetching;
}

/**
 * The task as it is after a while, and so on; ends when a signal is aborted.
 *
 * @throws McpError where the server has cancelled it
 */
async function* states(
  first: JsonObject,
  { request, signal, about, over }: Following,
  come?: AbortSignal,
): AsyncGenerator<{ task: JsonObject; wire: Answered['wire'] }> {
  const until = come ? anySignal([come, signal]) : signal;
  for (let task = first; ;) {
    if (task['status'] === 'cancelled') {
      over.abort();
      throw cancelledBy(task);
    }
    // What was just made may be over already, but says nothing of what came of it.
    await pause(isEnded(task) ? 0 : delayOf(task), until);
    if (until.aborted) return;
    const { result, wire } = await request('tasks/get', about);
    task = result;
    if (isEnded(task)) over.abort();
    yield { task, wire };
  }
}

function isEnded({ status }: JsonObject): boolean {
  return status === 'completed' || status === 'failed';
}

function delayOf({ pollIntervalMs, pollInterval = pollIntervalMs }: JsonObject): number {
  return timerMs(Math.max(pollMs.least, typeof pollInterval === 'number' ? pollInterval : pollMs.usual));
}

function cancelledBy({ statusMessage }: JsonObject): McpError {
  return new McpError('The server has cancelled the call:', {
    code: 'SERVER_ERROR',
    details: typeof statusMessage === 'string' ? beginning(statusMessage, 1000) : 'it does not say why.',
    outcomeUnknown: true,
  });
}
