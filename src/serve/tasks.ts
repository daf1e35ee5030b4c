import { isObject, parseJson, type JsonObject } from '../json/index.js';
import { followTask, RefusedRequest, taskIn, wireSlice, type AnswerText } from '../mcp/index.js';
import type { Forwarded, ServerBehind } from './behind/server-behind.js';

type Follow = Parameters<typeof followTask>[1];

/**
 * Hands on a call of a client that knows nothing of tasks: one that the server makes a task of is followed to its end, and
 * answered with what came of it.
 *
 * @param ask puts what stands in a task of 2026-07-28 to the client, as params of `elicitation/create`
 */
export async function forwardToItsEnd(
  server: ServerBehind,
  call: Forwarded,
  ask: (paramsText: string) => Promise<AnswerText>,
): Promise<void> {
  const over = new AbortController();
  const answered = (answer: AnswerText) => {
    over.abort();
    call.onAnswer(answer);
  };
  try {
    const task = await taskOrAnswer(server, { ...call, over: over.signal, onAnswer: answered });
    if (task) answered(await followed(server, task, call, ask));
  } finally {
    over.abort();
  }
}

/** The task that the server has made of the call, if it has; an answer goes where answers go. */
async function taskOrAnswer(server: ServerBehind, call: Forwarded): Promise<JsonObject | undefined> {
  let task: JsonObject | undefined;
  await server.forward({
    ...call,
    onAnswer: (answer) => {
      task = taskOf(call.params, answer);
      if (!task) call.onAnswer(answer);
    },
  });
  return task;
}

async function followed(
  server: ServerBehind,
  task: JsonObject,
  call: Forwarded,
  ask: (paramsText: string) => Promise<AnswerText>,
): Promise<AnswerText> {
  const ended = await followTask(task, {
    signal: call.signal,
    asker: {
      asked: [],
      ask: async (params) => readResult(await ask(JSON.stringify(params))).result,
    },
    onProgress: progressFor(call),
    request: (method, params, { signal = call.signal, timeoutMs = 0 } = {}) =>
      // Its signal may be what ends the call.
      requested(server, call, method, params, method === 'tasks/cancel' ? AbortSignal.timeout(timeoutMs) : signal),
  });
  if ('error' in ended) return { error: JSON.stringify(ended.error) };
  return { result: wireSlice(ended.wire, ['result']) ?? '{}' };
}

function taskOf(params: JsonObject, answer: AnswerText): JsonObject | undefined {
  if (!('result' in answer) || !answer.result.includes('"task')) return undefined;
  const result = parseJson(answer.result);
  return isObject(result) ? taskIn(params, result) : undefined;
}

/** What a task says, for a client that wants reports. */
function progressFor({ asker, id, params }: Forwarded): Follow['onProgress'] {
  const progressToken = isObject(params['_meta']) ? params['_meta']['progressToken'] : undefined;
  if (progressToken === undefined) return undefined;
  return (report) => {
    const told = { progressToken, ...report };
    asker.announce('notifications/progress', JSON.stringify(told), told, id);
  };
}

async function requested(
  server: ServerBehind,
  { asker, id }: Forwarded,
  method: string,
  params: JsonObject,
  signal: AbortSignal,
): ReturnType<Follow['request']> {
  let answer: AnswerText = { result: '{}' };
  await server.forward({
    asker,
    id,
    method,
    params,
    paramsText: JSON.stringify(params),
    signal,
    onAnswer: (came) => {
      answer = came;
    },
  });
  return readResult(answer);
}

/** @throws RefusedRequest with the error that came instead */
function readResult(answer: AnswerText): Awaited<ReturnType<Follow['request']>> {
  if ('error' in answer) throw new RefusedRequest(answer.error);
  const result = parseJson(answer.result);
  return { result: isObject(result) ? result : {}, wire: { text: `{"result":${answer.result}}` } };
}
