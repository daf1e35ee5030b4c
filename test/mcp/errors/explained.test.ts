import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isRequestFailure, McpError } from '../../../src/mcp/errors/errors.js';
import { explain, type FailureContext } from '../../../src/mcp/errors/explain.js';
import * as failures from '../../../src/mcp/errors/failures.js';
import { isRefusedLikePing } from '../../../src/mcp/errors/http-problem.js';
import { secretMask } from '../../../src/secrets/index.js';

const { errors, pings } = JSON.parse(readFileSync(new URL('./explained.json', import.meta.url), 'utf8')) as {
  errors: [kind: string, given: never[], context: Partial<FailureContext>, error: object][];
  pings: [request: [never, string], method: string, ping: [never, string], isSame: boolean][];
};

/** An error of `fetch`, with what each level has. */
const thrown = (levels: readonly object[]) =>
  levels.reduceRight<object>(
    (cause, level, at) => Object.assign(new Error('fetch failed'), level, at < levels.length - 1 && { cause }),
    {},
  );

const { HttpFailure, TimedOut, Unauthorized } = failures;
const kinds: Readonly<Record<string, (...given: never[]) => object | string | null>> = {
  http: (...given: ConstructorParameters<typeof HttpFailure>) => new HttpFailure(...given),
  refused: (answer) => new failures.HandshakeRefused(answer),
  unauthorized: (problem, status: number | undefined) => Object.assign(new Unauthorized(problem), status && { status }),
  late: (...given: ConstructorParameters<typeof TimedOut>) => new TimedOut(...given),
  'no stream': () => new failures.NoEventStream(),
  'no tunnel': (message, facts) => new failures.NoTunnel(message, facts),
  network: (...levels) => thrown(levels),
  several: (...errors) => Object.assign(new Error('fetch failed'), { errors: errors.map((each) => thrown([each])) }),
  known: (title, options) => new McpError(title, options),
  value: (value) => value,
};

test.each(errors)('The failure "%s" of %j during %j is explained', (kind, given, context, explained) => {
  const { connectionFailure, ...more } = context;
  const all: FailureContext = {
    server: 'https://one.example/mcp',
    method: 'tools/call',
    idleTimeoutMs: 7,
    mask: secretMask(['s3cr3t-word']),
    ...more,
  };
  if (connectionFailure) all.connectionFailure = new McpError('Gone with s3cr3t-word.', { code: 'SERVER_EXITED' });
  const error = explain(kinds[kind]!(...given), all);
  const { name, message, written } = error as McpError & { written?: unknown };
  expect(isRequestFailure(error)).toBe(true);
  expect(JSON.parse(JSON.stringify(Object.assign({}, error, { name, message, written })))).toEqual(explained);
});

test.each(pings)('The refusal %j of %s is that of its ping, %j: %j', (request, method, ping, isSame) => {
  const [one, two] = [new HttpFailure(...request), new HttpFailure(...ping)];
  expect(isRefusedLikePing(one, method, two)).toBe(isSame);
});
