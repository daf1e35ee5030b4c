import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { McpError, type ServerAddress, ServerError } from '../../src/internal.js';
import { failureOf, Refusal } from '../../src/serve/errors.js';
import { eventText, responseWire } from '../../src/serve/http/event-stream.js';
import { loggedName, logLine, withSafeLog } from '../../src/serve/log.js';
import { messageIn } from '../../src/serve/message-size.js';
import { healthOf, tryOut } from '../../src/serve/operator.js';
import { Principal } from '../../src/serve/principal.js';
import { messageOf } from '../../src/json/index.js';
import * as revisions from '../../src/serve/revisions.js';
import { type Group, problemOf, skippedLine } from '../../src/serve/upstream/group.js';
import { isWithin } from '../../src/serve/upstream/upstream.js';
import { stable } from '../../test-support/servers/two-servers.js';

/** Functions return, log and send what the tables say. */
const cases = JSON.parse(readFileSync(new URL('./tables.json', import.meta.url), 'utf8')) as {
  of: string;
  what: string;
  args: unknown[];
  is: unknown;
}[];

type Entry = Parameters<typeof logLine> extends [unknown, ...infer Rest] ? Rest : never;
type Failure = ConstructorParameters<typeof McpError>[1] & {
  kind: 'McpError' | 'ServerError' | 'Refusal' | 'Error';
  message: string;
  rpc?: ConstructorParameters<typeof ServerError> extends [unknown, ...infer Rest] ? Rest : never;
};

function failure({ kind, message, rpc = [undefined, undefined], ...options }: Failure): Error {
  if (kind === 'McpError') return new McpError(message, options);
  if (kind === 'ServerError') return new ServerError(message, ...rpc);
  return kind === 'Refusal' ? new Refusal(-1, message) : new Error(message);
}

const { identityInHandshake, clientTitle, metaIn, envelopeProblem, statelessResult, introductionText } = revisions;
const functions: Record<string, (...args: never[]) => unknown> = {
  ...{ identityInHandshake, clientTitle, metaIn, envelopeProblem, statelessResult, introductionText },
  ...{ inSubscription: revisions.inSubscription, eventText, healthOf, isWithin, loggedName, problemOf, skippedLine },
  isStateless: (message: object, headers: object) =>
    revisions.isStateless(messageIn(JSON.stringify(message)), headers as Record<string, string>),
  headerProblem: (message: object, headers: object) => {
    const request = messageIn(JSON.stringify(message)) as Parameters<typeof revisions.headerProblem>[0];
    return revisions.headerProblem(request, headers as Record<string, string>)?.text;
  },
  failureOf: (error: Failure, isShared: boolean) => failureOf(failure(error), isShared).text,
  logged(format: 'text' | 'json', addresses: ServerAddress[], entries: Entry[]) {
    const lines: string[] = [];
    const servers = addresses.map((address) => ({ address }));
    const { log } = withSafeLog({ servers, log: (...entry) => lines.push(logLine(format, ...entry)) });
    for (const entry of entries) log(...entry);
    return lines;
  },
  async principal(identity: revisions.Identity, session: string | undefined) {
    const entries: unknown[] = [];
    const log = (...entry: unknown[]) => entries.push(entry);
    const principal = new Principal({ servers: [], tool: {}, log }, identity, session);
    vi.spyOn(principal.suspended, 'close').mockImplementation(() => entries.push('ended suspended calls'));
    await principal.close('it was enough');
    return entries;
  },
  async tryOut(upstreams: object[], error: Failure) {
    const close = vi.fn();
    const log: unknown[] = [];
    const group = { upstreams, listed: () => Promise.reject(failure(error)), close } as unknown as Group;
    const options = { servers: [], tool: {}, log: (...entry: unknown[]) => log.push(entry) };
    const ends = await tryOut(group, options).catch(messageOf);
    return { ends, log, closed: close.mock.calls.length };
  },
  async answered(before: string[], text: string, code: number | undefined) {
    const head: unknown[] = [];
    const outgoing = Object.assign(new PassThrough(), {
      writeHead: (...given: unknown[]) => head.push(given),
      flushHeaders: () => head.push('flushed'),
    });
    const wire = responseWire(outgoing as unknown as ServerResponse, () => {}, new Set());
    for (const each of before) wire.send(each);
    wire.answer('1', text, code);
    return { body: (await outgoing.setEncoding('utf8').toArray()).join(''), head };
  },
};

test.each(cases)('What is decided and written stands in the table: $of, $what', async ({ of, args, is }) => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  expect(stable([(await functions[of]!(...(args as never[]))) ?? null])).toEqual([is]);
});
