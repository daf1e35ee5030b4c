import { CallPaused, McpError } from '../../internal.js';
import type {
  Asked,
  CallOptions,
  Continuation,
  Elicitation,
  ElicitationAnswer,
  Session,
  ToolResult,
} from '../../internal.js';
import { isObject } from '../../json/index.js';

/** The two functions of `@langchain/langgraph` that pause a run and remember what it has done. */
export interface ByInterrupt {
  interrupt: (value: InterruptedQuestion) => unknown;
  task: (name: string, work: () => Promise<unknown>) => () => Promise<unknown>;
}

/** The value of the interrupt: a server's question. Its words are data to be shown. */
export interface InterruptedQuestion {
  readonly type: 'elicitation';
  /** The server's name in the configuration. */
  readonly server: string;
  readonly tool: string;
  readonly mode: 'form' | 'url';
  readonly message: string;
  /** Of a form: what the content has to be. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Of a page. */
  readonly url?: string;
  readonly host?: string;
  /** Why the content that the run was resumed with cannot be sent. */
  readonly problems?: readonly string[];
}

export function isByInterrupt(elicit: unknown): elicit is ByInterrupt {
  return isObject(elicit) && typeof elicit['interrupt'] === 'function' && typeof elicit['task'] === 'function';
}

/** A session whose calls pause the run where the server asks, and go on where they were when it is resumed. */
export function pausing(session: Session, server: string, { interrupt, task }: ByInterrupt): Pick<Session, 'callTool'> {
  return {
    async callTool(tool, args, options = {}) {
      let call: OpenCall | undefined;
      for (let step = 0; ; step++) {
        const made = await remembered(task, `${server} ${tool.name} ${step}`, () =>
          attempt(call, (more) => session.callTool(tool, args, { ...options, ...more }), session, options.signal),
        );
        if ('failure' in made) throw new McpError(made.failure.title, made.failure);
        if ('result' in made) return made.result;
        call = {
          ...made,
          answer: readAnswer(interrupt({ type: 'elicitation', server, tool: tool.name, ...made.asks })),
        };
      }
    },
  };
}

type Question = Omit<InterruptedQuestion, 'type' | 'server' | 'tool'>;

/** What a step of a call came to. JSON, because the checkpoint keeps it. */
type Step = { result: ToolResult } | { failure: Failure } | Pause;
type Failure = ConstructorParameters<typeof McpError>[1] & { title: string };

interface Pause {
  asks: Question;
  /** What came of the questions before. */
  asked: readonly Asked[];
  /** Where the call goes on: at any server process, or in this very session. */
  at: { continuation: Continuation } | { suspended: string };
}

interface OpenCall extends Pause {
  answer: ElicitationAnswer;
}

type Send = (more: CallOptions) => Promise<ToolResult>;

/** A run that is resumed begins its node anew; what was done before comes from the checkpoint, and is not done again. */
async function remembered(task: ByInterrupt['task'], name: string, work: () => Promise<Step>): Promise<Step> {
  const state = { begun: false };
  const once = () => {
    state.begun = true;
    return work();
  };
  try {
    return (await task(name, once)()) as Step; // what `work` resolved with, now or in the run before
  } catch (error) {
    if (state.begun) throw error;
    // No graph runs, so nothing can be resumed: a server that asks meets the same error in `interrupt`.
    return once();
  }
}

async function attempt(call: OpenCall | undefined, send: Send, session: Session, signal?: AbortSignal): Promise<Step> {
  try {
    const step = session.protocolVersion >= '2026-07-28' ? await anywhere(call, send) : await here(call, send, signal);
    return 'result' in step && call ? { result: withAsked(step.result, call) } : step;
  } catch (error) {
    if (!(error instanceof McpError) || error.code === 'CANCELLED') throw error;
    const { title, code, details, hint, outcomeUnknown } = error;
    return { failure: { title, code, details, hint, outcomeUnknown } };
  }
}

/** 2026-07-28: the server keeps nothing, so the call ends with its question and is taken up by its state. */
async function anywhere(call: OpenCall | undefined, send: Send): Promise<Step> {
  let answer = call?.answer;
  const asked = [...(call?.asked ?? [])];
  try {
    const result = await send({
      ...(call && 'continuation' in call.at && { continuation: call.at.continuation }),
      elicit: (question) => {
        const given = answer;
        answer = undefined;
        const problems = given ? problemsWith(question, given) : [];
        if (!given || problems.length > 0) throw new Paused(question, problems);
        asked.push(recordOf(question, given));
        return given;
      },
    });
    return { result };
  } catch (error) {
    if (!(error instanceof Paused) || !error.question.continuation) throw error;
    return { asks: aboutOf(error.question, error.problems), asked, at: { continuation: error.question.continuation } };
  }
}

class Paused extends CallPaused {
  constructor(
    readonly question: Elicitation,
    readonly problems: readonly string[],
  ) {
    super();
  }
}

/** A call of an earlier revision that waits in its session for an answer. */
interface SuspendedCall {
  waiting?: { question: Elicitation; answer: (given: ElicitationAnswer) => void };
  /** Resolves when the server asks, or has answered. */
  next: Promise<'asked' | ToolResult>;
}

const suspended = new Map<string, SuspendedCall>();

/**
 * Before 2026-07-28: the server waits for the answer in the middle of the call, so the session has to live until then.
 */
async function here(call: OpenCall | undefined, send: Send, signal: AbortSignal | undefined): Promise<Step> {
  const id = call && 'suspended' in call.at ? call.at.suspended : crypto.randomUUID();
  const known = suspended.get(id);
  if (call && !known) throw gone();
  const asked = [...(call?.asked ?? [])];
  let waiting: SuspendedCall;
  if (call && known?.waiting) {
    const { question, answer } = known.waiting;
    const problems = problemsWith(question, call.answer);
    if (problems.length > 0) return { asks: aboutOf(question, problems), asked, at: { suspended: id } };
    asked.push(recordOf(question, call.answer));
    waiting = known;
    answer(call.answer);
  } else waiting = begun(send, signal);
  const next = await waiting.next.catch((error: unknown) => {
    suspended.delete(id);
    throw error;
  });
  if (next !== 'asked' || !waiting.waiting) {
    suspended.delete(id);
    return { result: next as ToolResult }; // it is that, where nothing was asked
  }
  suspended.set(id, waiting);
  return { asks: aboutOf(waiting.waiting.question, []), asked, at: { suspended: id } };
}

function begun(send: Send, signal: AbortSignal | undefined): SuspendedCall {
  // The signal is the run's, which is over once it pauses.
  const own = new AbortController();
  const onAbort = () => {
    own.abort();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  const call: SuspendedCall = { next: Promise.resolve('asked') };
  let onAsked: (asked: 'asked') => void = () => {};
  const done = send({
    signal: own.signal,
    elicit: (question) =>
      new Promise<ElicitationAnswer>((resolve) => {
        signal?.removeEventListener('abort', onAbort);
        call.waiting = {
          question,
          answer: (given) => {
            delete call.waiting;
            listen();
            resolve(given);
          },
        };
        onAsked('asked');
      }),
  });
  // Where nobody waits any more, nobody hears of a failure.
  done.catch(() => {});
  const listen = () => {
    call.next = Promise.race([done, new Promise<'asked'>((resolve) => (onAsked = resolve))]);
    call.next.catch(() => {});
  };
  listen();
  return call;
}

function gone(): McpError {
  return new McpError('The server asked in a session that is gone, so its question cannot be answered any more.', {
    code: 'CONNECTION_LOST',
    hint: 'Before revision 2026-07-28 a run has to be resumed in the process, and with the tools, that it was paused in.',
    outcomeUnknown: true,
  });
}

/** What resumes a run comes from outside and may be anything. */
function readAnswer(given: unknown): ElicitationAnswer {
  const action = isObject(given) ? given['action'] : undefined;
  return action === 'accept' || action === 'decline' || action === 'cancel'
    ? (given as ElicitationAnswer) // its other members are looked at where they are used
    : { action: 'decline', reason: 'The run was resumed with something that is no answer.' };
}

function problemsWith(question: Elicitation, answer: ElicitationAnswer): readonly string[] {
  return question.mode === 'form' && answer.action === 'accept' ? question.check(answer.content ?? {}).problems : [];
}

function aboutOf(question: Elicitation, problems: readonly string[]): Question {
  const { mode, message } = question;
  return {
    mode,
    message,
    ...(question.mode === 'form' ? { schema: question.schema } : { url: question.url, host: question.host }),
    ...(problems.length > 0 && { problems }),
  };
}

function recordOf(question: Elicitation, { action }: ElicitationAnswer): Asked {
  const { mode, message } = question;
  return { mode, message, action, repairs: [], ...(question.mode === 'url' && { url: question.url }) };
}

/** What was asked in the steps before stands in the result as well. */
function withAsked(result: ToolResult, call: OpenCall): ToolResult {
  return { ...result, asked: [...call.asked, ...(result.asked ?? [])] };
}
