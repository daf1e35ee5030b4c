import { CallPaused, isRequestFailure, McpError } from '../../internal.js';
import type {
  Asked,
  CallOptions,
  ConnectionError,
  Continuation,
  Elicitation,
  ElicitationAnswer,
  Session,
} from '../../internal.js';
import type { SuspendedCalls, ToolResult } from '../../internal.js';
import { isObject } from '../../json/index.js';

/** The two functions of `@langchain/langgraph` that pause a run and remember its finished work. */
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
  /** The JSON Schema of the content, for a form. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** The page's address, for `url`. To be shown whole. */
  readonly url?: string;
  readonly host?: string;
  /** Why the content that the run was resumed with cannot be sent. */
  readonly problems?: readonly string[];
}

export function isByInterrupt(elicit: unknown): elicit is ByInterrupt {
  return isObject(elicit) && typeof elicit['interrupt'] === 'function' && typeof elicit['task'] === 'function';
}

/** The calls of one server whose runs are paused, before 2026-07-28. */
export type WaitingCalls = SuspendedCalls<Elicitation, ElicitationAnswer, ToolResult>;

/**
 * A session whose calls pause the run when the server asks something, and continue at that point when it is resumed.
 */
export function pausing(
  session: Session,
  server: string,
  { interrupt, task }: ByInterrupt,
  waiting: WaitingCalls,
): Pick<Session, 'callTool'> {
  const advance = session.protocolVersion >= '2026-07-28' ? advanceByState : advanceInSession;
  return {
    async callTool(tool, args, options = {}) {
      const send: Send = (more) => session.callTool(tool, args, { ...options, ...more });
      let call: AnsweredCall | undefined;
      for (let step = 0; ; step++) {
        const attempt = () => withFailureAsResult(advance(call, send, options.signal, waiting));
        const made = await remembered(task, `${server} ${tool.name} ${step}`, attempt);
        if ('failure' in made) throw new McpError(made.failure.title, made.failure);
        if ('result' in made) return made.result;
        const answer = readAnswer(interrupt({ type: 'elicitation', server, tool: tool.name, ...made.asks }));
        call = { ...made, answer };
      }
    },
  };
}

type Send = (more: CallOptions) => Promise<ToolResult>;

/** The state of a call when it paused or ended. JSON, because the checkpoint stores it. */
type Step = { result: ToolResult } | { failure: Failure } | PausedCall;

type Failure = ConstructorParameters<typeof ConnectionError>[1] & { title: string };

interface PausedCall {
  asks: Omit<InterruptedQuestion, 'type' | 'server' | 'tool'>;
  /** The point at which the call continues: at any server process, or at this question of this very session. */
  at: { continuation: Continuation; asked: readonly Asked[] } | { suspended: string };
}

type AnsweredCall = PausedCall & { answer: ElicitationAnswer };

/** A resumed run begins its node anew; finished work comes from the checkpoint, and is not repeated. */
async function remembered(task: ByInterrupt['task'], name: string, work: () => Promise<Step>): Promise<Step> {
  let hasBegun = false as boolean; // which the work itself changes
  const once = () => {
    hasBegun = true;
    return work();
  };
  try {
    return (await task(name, once)()) as Step; // what `work` resolved with, now or in the run before
  } catch (error) {
    if (hasBegun) throw error;
    // No graph runs, so nothing can be resumed: a server that asks meets the same error in `interrupt`.
    return once();
  }
}

/** The texts of a result are no properties of its own, so that a checkpoint would not keep them. */
function withTexts(result: ToolResult): ToolResult {
  const { rawText, structuredText } = result;
  return { ...result, rawText, structuredText };
}

async function withFailureAsResult(step: Promise<Step>): Promise<Step> {
  try {
    return await step;
  } catch (error) {
    if (!isRequestFailure(error) || error.code === 'CANCELLED') throw error;
    const { details, message } = error;
    const title = details === undefined ? message : message.slice(0, -details.length - 1);
    return { failure: { ...(Object.fromEntries(Object.entries(error)) as Failure), title } }; // its options, and its name
  }
}

/** 2026-07-28: the server keeps nothing, so the call ends with its question and is taken up by its state. */
async function advanceByState(call: AnsweredCall | undefined, send: Send): Promise<Step> {
  const before = call && 'continuation' in call.at ? call.at : { asked: [] };
  const asked = [...before.asked];
  let answer = call?.answer;
  try {
    const result = await send({
      ...('continuation' in before && { continuation: before.continuation }),
      elicit: (question) => {
        const given = answer;
        answer = undefined;
        const problems = given ? problemsWith(question, given) : [];
        if (!given || problems.length > 0) throw new NeedsAnswer(question, problems);
        const { mode, message } = question;
        const url = mode === 'url' && { url: question.url };
        asked.push({ mode, message, action: given.action, repairs: [], ...url });
        return given;
      },
    });
    // The questions of earlier steps are in the result as well.
    const all = [...before.asked, ...(result.asked ?? [])];
    return { result: { ...withTexts(result), ...(before.asked.length > 0 && { asked: all }) } };
  } catch (error) {
    if (!(error instanceof NeedsAnswer) || !error.question.continuation) throw error;
    return pauseAt(error.question, error.problems, { continuation: error.question.continuation, asked });
  }
}

/** Ends a call at its question: its state takes it up again once the run is resumed. */
class NeedsAnswer extends CallPaused {
  constructor(
    readonly question: Elicitation,
    readonly problems: readonly string[],
  ) {
    super();
  }
}

/** Before 2026-07-28: the server waits for the answer in the middle of the call, so the session has to live until then. */
async function advanceInSession(
  call: AnsweredCall | undefined,
  send: Send,
  signal: AbortSignal | undefined,
  waiting: WaitingCalls,
): Promise<Step> {
  const id = call && 'suspended' in call.at ? call.at.suspended : undefined;
  const question = waiting.find(id);
  const problems = call && question ? problemsWith(question, call.answer) : [];
  if (call && question && problems.length > 0) return pauseAt(question, problems, call.at);
  const next = await (call
    ? waiting.answer(id, call.answer, signal)
    : waiting.start(
        ({ ask, signal: over }) => send({ signal: over, elicit: (asked) => ask(asked, asked.signal) }),
        signal,
      ));
  return 'result' in next ? { result: withTexts(next.result) } : pauseAt(next.question, [], { suspended: next.id });
}

/** The value that resumes a run comes from outside and may be anything. */
function readAnswer(given: unknown): ElicitationAnswer {
  const action = isObject(given) ? given['action'] : undefined;
  return action === 'accept' || action === 'decline' || action === 'cancel'
    ? (given as ElicitationAnswer) // its other members are checked by their users
    : { action: 'decline', reason: 'The run was resumed with something that is no answer.' };
}

function problemsWith(question: Elicitation, answer: ElicitationAnswer): readonly string[] {
  return question.mode === 'form' && answer.action === 'accept' ? question.check(answer.content ?? {}).problems : [];
}

function pauseAt(question: Elicitation, problems: readonly string[], at: PausedCall['at']): PausedCall {
  const { mode, message } = question;
  const about = mode === 'form' ? { schema: question.schema } : { url: question.url, host: question.host };
  return { asks: { mode, message, ...about, ...(problems.length > 0 && { problems }) }, at };
}
