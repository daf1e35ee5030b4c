import { isObject, objectText, parseJson, valueAt, type JsonObject } from '../../json/index.js';
import { wireSlice } from '../wire/wire-text.js';
import type { Connection } from '../connection/connection.js';
import type { Progress } from '../connection/pending-requests.js';
import { readAnswer, type WireAnswer, type WireText } from '../wire/envelope.js';
import { beginning, brokenAnswer } from '../errors/wire-problem.js';
import { settlesWithin, timerMs, unlimitedMs } from '../runtime/timers.js';
import { HandlerFailure } from '../elicitation/elicitor.js';
import { CallPaused, type Continuation } from '../elicitation/elicitation.js';
import { askFor, textsOf, type AskForText } from '../elicitation/rounds.js';
import { McpError } from '../errors/errors.js';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** The parameters of a call that must become a task (2025-11-25, Tool-Level Negotiation). */
export function taskParams(
  { definition }: { definition: JsonObject },
  { handshake: { capabilities }, revision }: Pick<Connection, 'handshake' | 'revision'>,
): { task: JsonObject } | undefined {
  const { execution } = definition;
  const insists = isObject(execution) && execution['taskSupport'] === 'required';
  if (!insists || revision.decidesOnTasks) return undefined;
  return isObject(valueAt(capabilities, '/tasks/requests/tools/call')) ? { task: {} } : undefined;
}

/** The task that a request became: the result itself in 2026-07-28, the result's member `task` in 2025-11-25. */
export function taskIn(params: JsonObject, result: JsonObject): JsonObject | undefined {
  const task = result['resultType'] === 'task' ? result : 'task' in params ? result['task'] : undefined;
  return isObject(task) && typeof task['taskId'] === 'string' ? task : undefined;
}

/** True of a result that is not the tool's own yet: questions to be answered, or a task. */
export function isInterim(result: JsonObject): boolean {
  const { resultType } = result;
  return (
    resultType === 'input_required' || resultType === 'task' || typeof valueAt(result, '/task/taskId') === 'string'
  );
}

export type TaskRequest = (
  method: string,
  params: JsonObject,
  more?: { signal?: AbortSignal; idleTimeoutMs?: number; written?: string },
) => Promise<Answered>;

interface FollowOptions {
  request: TaskRequest;
  /** @throws when the signal is aborted */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
  ask: AskForText | undefined;
  onProgress: ((report: Progress) => void) | undefined;
  continuation?: Continuation | undefined;
}

type Answered = Extract<WireAnswer, { result: JsonObject }>;

/** The interval if the server does not name one, and the shortest one. */
const pollMs = { usual: 1000, least: 100 };

const cancelMs = 1000;

/**
 * Follows a task to its end, and answers the server's questions on the way. If the caller gives up, cancels it at the
 * server, unless the handler of a question has paused the call.
 *
 * @throws McpError if the server has cancelled it
 */
export async function followTask(first: JsonObject, options: FollowOptions): Promise<WireAnswer> {
  const { signal, onProgress, continuation } = options;
  let failedRequests = 0;
  const request: TaskRequest = (...given) =>
    options.request(...given).catch((error: unknown) => {
      if (!(error instanceof HandlerFailure)) failedRequests++;
      throw error;
    });
  const about = { taskId: String(first['taskId']) };
  const hasPolling = first['resultType'] === 'task';
  const answer = answering(about, { ...options, request });
  let task = first;
  let wire: Answered['wire'] | undefined;
  let reported: unknown;
  let reports = 0;
  try {
    if (continuation) await answer(continuation.inputRequests);
    for (;;) {
      const { status, statusMessage, inputRequests } = task;
      if (typeof statusMessage === 'string' && statusMessage !== reported) {
        reported = statusMessage;
        try {
          onProgress?.({ progress: ++reports, message: statusMessage });
        } catch {
          // The function is the host's; its failure must not end the call.
        }
      }
      if (status === 'cancelled') throw cancelledBy(task);
      // A task may have ended when it is created, but its creation does not contain the result.
      if (isEnded(task) && wire) return hasPolling ? endOf(task, wire) : await request('tasks/result', about);
      // Questions come while the result is waited for (2025-11-25, Tasks, Task Message Flow), in 2026-07-28 in the task.
      if (status === 'input_required' && !hasPolling)
        return await request('tasks/result', about, { idleTimeoutMs: unlimitedMs });
      if (wire && isObject(inputRequests)) await answer(inputRequests, wire);
      await options.pause(isEnded(task) ? 0 : delayOf(task), signal);
      ({ result: task, wire } = await request('tasks/get', about));
    }
  } catch (error) {
    const isPaused = hasPolling && error instanceof HandlerFailure && error.cause instanceof CallPaused;
    // A request that failed says nothing of the task, which goes on.
    const isGivenUp = signal.aborted || (failedRequests === 0 && !isPaused);
    if (!isEnded(task) && isGivenUp)
      await settlesWithin(cancelMs, request('tasks/cancel', about, { idleTimeoutMs: cancelMs }));
    throw error;
  }
}

/** Answers the questions in a task (2026-07-28; ext-tasks, Task Polling), each of them once. */
function answering(
  about: { taskId: string },
  { request, ask, continuation }: FollowOptions,
): (inputRequests: JsonObject, wire?: WireText) => Promise<void> {
  const known = textsOf(continuation?.inputResponses ?? {});
  const sent = new Set<string>();
  return async (inputRequests, wire) => {
    const open = Object.entries(inputRequests).filter(([key]) => !sent.has(key));
    await askFor(Object.fromEntries(open), known, { method: 'tools/call', ask, about, wire });
    if (open.length === 0) return;
    const answers = objectText(open.map(([key]) => [key, known.get(key) ?? 'null']));
    const written = `{"inputResponses":${answers}}`;
    await request('tasks/update', { ...about, inputResponses: parseJson(answers) }, { written });
    for (const [key] of open) sent.add(key);
  };
}

/** The content of a task that has ended (2026-07-28), as the answer to its request. */
function endOf(task: JsonObject, wire: Answered['wire']): WireAnswer {
  const [result, error] = ['result', 'error'].map((name) => wireSlice(wire, ['result', name]) ?? 'null');
  const text = `{"result":${result},"error":${error}}`;
  const ended = readAnswer(task, { text });
  if (!ended) throw brokenAnswer('tasks/get', task);
  return ended;
}

function isEnded({ status }: JsonObject): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function delayOf({ pollIntervalMs, pollInterval = pollIntervalMs }: JsonObject): number {
  return timerMs(Math.max(pollMs.least, typeof pollInterval === 'number' ? pollInterval : pollMs.usual));
}

function cancelledBy({ statusMessage }: JsonObject): McpError {
  const details = typeof statusMessage === 'string' ? beginning(statusMessage, 1000) : 'it does not say why.';
  return new McpError('The server has cancelled the call:', { code: 'SERVER_ERROR', details });
}
