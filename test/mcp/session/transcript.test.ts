import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CallPaused, connect, type ConnectOptions, type Session } from '../../../src/mcp/index.js';
import { type Answers, type Exchange, startHttpServer } from '../../../test-support/servers/http.js';
import { first, inOrder, reached, second, stable } from '../../../test-support/servers/two-servers.js';

interface Step {
  /** A method of the session and its arguments; a tool is its name. */
  do?: [method: keyof Session, ...given: unknown[]];
  /** What the server answers in place of the usual, in turn. The status 0 breaks the connection off. */
  answers?: Record<string, { status?: number; body?: unknown; headers?: Record<string, string> }[]>;
  /** What the handler of questions answers, in turn. */
  says?: object[];
  reached?: object[];
  heard?: unknown[];
  returns?: unknown;
}

/** All that a session sends, hears, asks, returns and throws, as its reviewers read it. */
const sessions = JSON.parse(readFileSync(new URL('./transcript.json', import.meta.url), 'utf8')) as {
  title: string;
  server: 'first' | 'second';
  options: object;
  steps: [Step, ...Step[]];
}[];

test.each(sessions)('A session does this and nothing else: $title', async ({ server, options, steps }) => {
  let step: Step = steps[0];
  const heard: unknown[] = [];
  const base: Answers = server === 'first' ? first() : second;
  await using http = await startHttpServer((exchange: Exchange, own) => {
    const { verb, message, json, plain, result, response } = exchange;
    const kind = verb === 'POST' ? message.method : verb;
    const scripted = step.answers?.[kind]?.shift();
    const usual = base[kind] ?? plain;
    const { status, body = '', headers } = scripted ?? {};
    if (status === 0) response.destroy();
    else if (status) exchange.status(status, typeof body === 'string' ? body : JSON.stringify(body), headers);
    else if (scripted) json({ jsonrpc: '2.0', id: message.id, ...scripted });
    else if (typeof usual === 'function') (usual as (exchange: Exchange, own: unknown) => void)(exchange, own);
    else result(usual);
  });
  const hears =
    (what: string) =>
    (...given: unknown[]) =>
      void heard.push([what, ...given]);
  const asked = (by: string) => (question: object) => {
    heard.push([by, { ...question, signal: undefined }]);
    const said = step.says?.shift();
    if (!said) throw new CallPaused();
    return said;
  };
  const functions: Record<string, unknown> = {
    elicit: asked('elicit'),
    onNotification: hears('onNotification'),
    onProgress: hears('onProgress'),
    async beforeSending(connection: { listTools: Session['listTools'] }) {
      heard.push(['beforeSending', (await connection.listTools()).tools.map(({ name }) => name)]);
    },
  };
  const revived = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (key, each: unknown) => {
      if (each === 'GIVEN') return functions[key];
      if (each === 'OF THE CALL') return asked('elicit of the call');
      return each === 'ABORTED' ? AbortSignal.abort() : each;
    });
  const address = { url: http.url, headers: { 'x-key': 'of the address' } };
  let session: Session | undefined;
  for (step of structuredClone(steps)) {
    const [method, ...args] = revived(step.do ?? ['ended']) as [keyof Session, ...unknown[]];
    const outcome = async () => {
      if (!session) {
        session = await connect(address, revived(options) as ConnectOptions);
        for (const on of ['onListChanged', 'onEnd', 'onReconnect'] as const) session[on](hears(on));
        return { ...session, address: session.address };
      }
      const known = method === 'callTool' ? (await session.listTools()).find(String(args[0])) : undefined;
      const member = session[method] as unknown;
      if (typeof member !== 'function') return member;
      return member.apply(session, known ? [known, ...args.slice(1)] : args) as unknown;
    };
    const returns = shown(await outcome().catch((error: unknown) => error));
    const came: Required<Pick<Step, 'reached' | 'heard'>> = { reached: [], heard: [] };
    const { reached: wanted = [], heard: hearing = [] } = step;
    const expected = { reached: wanted, heard: hearing, ...('returns' in step && { returns: step.returns }) };
    const look = () => {
      came.reached.push(...reached(http));
      came.heard.push(...heard.splice(0));
      return stable({ ...came, reached: inOrder(came.reached), returns });
    };
    await expect.poll(look, { message: JSON.stringify(step.do), interval: 5 }).toEqual(expected);
  }
});

/** With what JSON leaves out of errors and results. */
function shown(value: unknown): unknown {
  if (value instanceof Error) return { threw: Object.assign({}, { name: value.name, message: value.message }, value) };
  if (typeof value !== 'object' || value === null || !('rawText' in value)) return value;
  return { ...value, rawText: value.rawText, structuredText: (value as { structuredText?: unknown }).structuredText };
}
