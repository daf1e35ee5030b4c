import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test, vi } from 'vitest';
import { answersFrom, decline } from '../../src/mcp/index.js';
import type { Asked, CallOptions, Elicit, ToolResult } from '../../src/mcp/index.js';
import { formProblem } from '../../src/mcp/elicitation/elicitor.js';
import { resultText } from '../../src/tool/index.js';
import type { Exchange } from '../../test-support/servers/http.js';
import { until } from '../../test-support/waiting.js';
import { failureOf, textOf, toolNamed } from './calling.js';
import { sessionWith } from './server-program.js';
import { closeAfterEach, connected, given } from './serving.js';
import forms from './forms.json' with { type: 'json' };

closeAfterEach();

const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const form = (schema: object = name, message = 'Who are you?') => ({ message, requestedSchema: schema });
const accepted = (name: string) => ({ action: 'accept' as const, content: { name } });
const page = (url: string) => ({ mode: 'url', message: 'Sign in.', url, elicitationId: 'e1' });

describe.each([
  ['SDK v1 over stdio', 'sdk-v1.mjs', ['stdio'], '2025-11-25'],
  ['SDK v1 over streamable HTTP', 'sdk-v1.mjs', ['http'], '2025-11-25'],
  ['SDK v1 over SSE', 'sdk-v1.mjs', ['sse'], '2025-11-25'],
  ['SDK v2 over stdio', 'sdk-v2.mjs', ['stdio', 'latest'], '2026-07-28'],
  ['SDK v2 over HTTP', 'sdk-v2.mjs', ['http', 'latest'], '2026-07-28'],
])('given a server of %s', (_, script, args, revision) => {
  const shared = sessionWith(script, args, { elicit: decline });

  function asked(questions: object[], elicit: Elicit, options: CallOptions = {}, separately = false) {
    expect(shared.session.protocolVersion).toBe(revision);
    return shared.session.callTool(toolNamed('asking'), { questions, separately }, { elicit, ...options });
  }
  const answersIn = (result: ToolResult) => JSON.parse(textOf(result)) as unknown;

  test('A form reaches the handler unchanged, with its tool, and the answer reaches the server', async () => {
    const context = new AsyncLocalStorage<string>();
    const elicit = vi.fn<Elicit>(() => ({ action: 'accept', content: { name: context.getStore() } }));
    const result = await context.run('of the call', () => asked([form()], elicit));
    const answer = accepted('of the call');
    expect(answersIn(result)).toEqual({ q0: answer });
    const about = { tool: 'asking', signal: expect.any(AbortSignal) as AbortSignal };
    expect(elicit.mock.calls).toMatchObject([[{ mode: 'form', message: 'Who are you?', schema: name, ...about }]]);
    expect(result.asked).toMatchObject([{ mode: 'form', ...answer }]);
  });

  test('A page reaches the handler with its host, and the answer has no content', async () => {
    const url = 'https://sign-in.example:8443/connect?x=1';
    const elicit = vi.fn<Elicit>(() => ({ action: 'accept', content: { never: 'sent' } }));
    expect(answersIn(await asked([page(url)], elicit))).toEqual({ q0: { action: 'accept' } });
    const asking = { mode: 'url', url, host: 'sign-in.example:8443', message: 'Sign in.' };
    expect(elicit.mock.calls).toMatchObject([[asking]]);
  });

  test.each([
    ['at once', false],
    ['one after the other', true],
  ])('Several questions are asked %s in their order', async (_, separately) => {
    const messages: string[] = [];
    let asking = 0;
    const elicit: Elicit = async ({ message }) => {
      expect(++asking).toBe(1);
      await new Promise(setImmediate);
      asking--;
      messages.push(message);
      return message === 'two' ? { action: 'decline' } : accepted(message);
    };
    const questions = ['one', 'two', 'three'].map((message) => form(name, message));
    const answers = { q0: accepted('one'), q1: { action: 'decline' }, q2: accepted('three') };
    expect(answersIn(await asked(questions, elicit, {}, separately))).toEqual(answers);
    expect(messages).toEqual(['one', 'two', 'three']);
  });

  test('The text for the model has the declined question and its page', async () => {
    const result = await asked([page('https://a.example/connect')], decline);
    expect(resultText(result)).toContain('"Sign in." and named the page "https://a.example/connect"');
    expect(resultText(result)).toContain('was declined.');
  });

  test("The user's time to answer does not count against a limit", async () => {
    const hour = 3_600_000;
    const elicit: Elicit = async () => {
      await vi.advanceTimersByTimeAsync(hour);
      return accepted('slow');
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const result = await asked([form()], elicit, { idleTimeoutMs: hour / 2, maxDurationMs: hour / 2 });
    expect(textOf(result)).toContain('slow');
  });

  test("The caller's signal ends the question", async () => {
    const controller = new AbortController();
    const elicit: Elicit = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('too late')));
        controller.abort();
      });
    const failure = await failureOf(asked([form()], elicit, { signal: controller.signal }));
    expect(failure).toMatchObject({ code: 'CANCELLED' });
  });
});

describe('a server of 2026-07-28', () => {
  const discovery = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
  const question = { method: 'elicitation/create', params: form() };
  const accept: Elicit = () => accepted('Ada');
  const wanting = (inputRequests: object) => ({ resultType: 'input_required', inputRequests });

  async function served(answer: (params: Record<string, unknown>, exchange: Exchange) => object, elicit?: Elicit) {
    const server = await given((exchange) => {
      const { method, params = {} } = exchange.message;
      exchange.result(method === 'server/discover' ? discovery : answer(params, exchange));
    });
    const session = await connected(server, { elicit, revisions: 'stateless-first' });
    const call = (options?: CallOptions) => session.callTool(toolNamed('echo'), {}, options);
    return { server, session, call };
  }

  /** Asks in the first result, and shows the answers in the second. */
  const asking =
    (inputRequests: object) =>
    ({ inputResponses }: Record<string, unknown>) =>
      inputResponses ? { structuredContent: inputResponses } : wanting(inputRequests);

  test('A server of 2026-07-28 gets its requestState back to the character under a new id, or none if it sent none', async () => {
    const state = ' {"opaque":"\u0000ü😀"} ';
    const ids: unknown[] = [];
    const rounds = [{ requestState: state, inputRequests: { a: question } }, { inputRequests: { b: question } }];
    const { call } = await served(({ inputResponses, requestState }, { message }) => {
      ids.push(message.id);
      const round = rounds.shift();
      if (round) return { resultType: 'input_required', ...round };
      return { structuredContent: { inputResponses, requestState } };
    }, accept);
    const result = await call();
    expect(result.structuredContent).toEqual({ inputResponses: { b: accepted('Ada') } });
    expect(new Set(ids).size).toBe(3);
  });

  test('A server of 2026-07-28 that keeps asking is left after ten rounds', async () => {
    let calls = 0;
    const { call } = await served(() => {
      calls++;
      return { ...wanting({ a: question }), requestState: String(calls) };
    }, accept);
    const message = expect.stringContaining('10 rounds') as string;
    expect(await failureOf(call())).toMatchObject({ code: 'INPUT_REQUIRED', message });
    expect(calls).toBe(10);
  });

  const questions = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${from + index}`, question]));

  test('After 32 questions in one call, those of a server of 2026-07-28 are declined', async () => {
    const elicit = vi.fn(accept);
    const { call } = await served(({ inputResponses = {} }) => {
      const known = inputResponses as Record<string, unknown>;
      return 'q20' in known ? { structuredContent: known } : wanting(questions(20, 'q0' in known ? 20 : 0));
    }, elicit);
    const result = await call();
    expect(elicit).toHaveBeenCalledTimes(32);
    expect(result.structuredContent).toMatchObject({ q31: { action: 'accept' }, q32: { action: 'decline' } });
    expect(result.asked).toHaveLength(33);
  });

  test.each([33, 10_000])(
    'A server of 2026-07-28 that asks %i questions at once gets an error, and the user is not asked',
    async (count) => {
      const { call } = await served(asking(questions(count)), () => expect.fail());
      const message = expect.stringContaining('32 questions') as string;
      expect(await failureOf(call())).toMatchObject({ code: 'LIMIT_EXCEEDED', message });
    },
  );

  const integer = { type: 'integer' };
  const repair = { kind: 'integer', instanceLocation: '/b', from: '2', to: 2 } as const;
  const misfits = '/b: must be integer, received string "x"\n/c: must be integer, received string "y"';
  const fields = (properties: unknown) => form({ type: 'object', properties });
  test.each<[params: object, values: Record<string, unknown>, answer: Partial<Asked>]>([
    [fields({ b: integer }), { a: 1, b: '2' }, { action: 'accept', content: { b: 2 }, repairs: [repair] }],
    [fields({ b: integer, c: integer }), { b: 'x', c: 'y' }, { action: 'decline', reason: misfits }],
    [fields(5), { a: 1 }, { action: 'decline', reason: 'There is no answer to any of its fields.' }],
    [fields({ b: { ...integer, default: 1 } }), {}, { action: 'accept', content: { b: 1 } }],
    [page('https://a.example/'), { b: 1 }, { action: 'decline', reason: 'Nobody is here to visit the page.' }],
  ])(
    'A server of 2026-07-28 that asks %j, with the answers %j given beforehand, gets %j',
    async (params, values, answer) => {
      const { call } = await served(asking({ a: { method: 'elicitation/create', params } }), answersFrom(values));
      const { structuredContent, asked } = await call();
      expect(asked).toMatchObject([answer]);
      expect(structuredContent).toEqual({ a: { action: answer.action, content: answer.content } });
    },
  );
});

describe('a server of 2025-11-25', () => {
  const calling = (answer: (exchange: Exchange) => unknown) => given({ 'tools/call': answer });

  test.each([
    ['by a cancellation', true],
    ['by the answer to the call', false],
  ])('A server of 2025-11-25 may withdraw its question %s', async (_, isCancelled) => {
    let asked: AbortSignal | undefined;
    const server = await calling(async ({ message, stream, response }) => {
      const send = stream();
      send({ id: 'q', method: 'elicitation/create', params: form() });
      await until(() => asked !== undefined);
      if (isCancelled) send({ method: 'notifications/cancelled', params: { requestId: 'q' } });
      if (isCancelled) await until(() => asked!.aborted);
      send({ id: message.id, result: { content: [] } });
      response.end();
    });
    const elicit: Elicit = ({ signal }) => {
      asked = signal;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    };
    const session = await connected(server, { elicit });
    expect(await session.callTool(toolNamed('echo'), {})).toMatchObject({ isError: false });
    expect(asked!.aborted).toBe(true);
    if (isCancelled) expect(server.seen.filter(({ body }) => 'result' in body)).toEqual([]);
  });
});

test.each(forms as [object, string | null][])('The form %j asks for a secret in the field %j', (schema, field) => {
  const words = 'looks like a secret, and a server must not ask for secrets in a form (MCP, Elicitation).';
  expect(formProblem(schema as Record<string, unknown>)).toBe(
    field === null ? undefined : `Its field "${field}" ${words}`,
  );
});

test('A form that is too large to be checked counts as a problem', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => [`f${index}`, { type: 'string' }] as const);
  expect(formProblem({ properties: Object.fromEntries(many) })).toBe('Its form is too large.');
});
