import { isObject, parseJson, type JsonObject } from '../json/index.js';
import { followTask, statusTeller, taskIn, wireSlice, type AnswerText } from '../mcp/index.js';
import { type Forwarded, resultIn, resultOf, type ServerBehind } from './behind/server-behind.js';

type Follow = Parameters<typeof followTask>[1];

/**
 * Hands on a call of a client that knows nothing of tasks: one that the server makes a task of is followed to its end,
 * and answered with what came of it.
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
      ask: async (params) => parsed(resultIn(await ask(JSON.stringify(params)))).result,
    },
    onState: stateFor(call),
    request: async (method, params, { signal: given = call.signal, timeoutMs = 0 } = {}) => {
      // Its signal may be what ends the call.
      const signal = method === 'tasks/cancel' ? AbortSignal.timeout(timeoutMs) : given;
      return parsed(await resultOf(server, { asker: call.asker, id: call.id, method, params, signal }));
    },
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
function stateFor({ asker, id, params }: Forwarded): Follow['onState'] {
  const progressToken = isObject(params['_meta']) ? params['_meta']['progressToken'] : undefined;
  if (progressToken === undefined) return undefined;
  return statusTeller((report) => {
    const told = { progressToken, ...report };
    asker.announce('notifications/progress', JSON.stringify(told), told, id);
  });
}

function parsed(resultText: string): Awaited<ReturnType<Follow['request']>> {
  const result = parseJson(resultText);
  return { result: isObject(result) ? result : {}, wire: { text: `{"result":${resultText}}` } };
}
