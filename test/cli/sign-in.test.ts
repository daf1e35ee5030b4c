import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { answering } from '../../src/cli/elicitation.js';
import type { Context } from '../../src/cli/context.js';
import { whileLocked } from '../../src/cli/files.js';
import { type keepingProvider, signInStore, withSignIn } from '../../src/cli/servers/sign-in.js';
import { terminalFor } from '../../src/cli/terminal/terminal.js';
import type { FormElicitation, UrlElicitation } from '../../src/internal.js';
import { until } from '../../test-support/waiting.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';

let env: Record<string, string>;
let folder: string;
beforeEach(() => {
  env = { HOME: temporaryFolder(onTestFinished) };
  folder = join(env['HOME']!, '.config', 'mcp-verbatim');
});

const address = { transport: 'sse' as const, url: 'https://me:pw@a.example/mcp?of=1#part', headers: { 'x-a': 'b' } };
const kept = () => signInStore('https://a.example/mcp?of=1', env);

test('An address with a sign-in has a provider that reads and keeps its tokens, until they are refused', () => {
  kept().write({
    tokens: { access_token: 'a', scope: 'read list' },
    clientInformation: { client_id: 'c' },
    scope: 'x',
  });
  const { authProvider, ...rest } = withSignIn(address, env);
  expect(rest).toEqual(address);
  // The members that are called here.
  const provider = authProvider as unknown as ReturnType<typeof keepingProvider> & {
    wantedScope: () => string;
    invalidateCredentials: () => void;
    redirectToAuthorization: (url: URL) => void;
  };
  expect([provider.redirectUrl, provider.clientMetadata]).toEqual([
    'http://127.0.0.1/callback',
    {
      client_name: 'mcp-verbatim',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  ]);
  expect([provider.clientInformation(), provider.wantedScope()]).toEqual([{ client_id: 'c' }, 'x read list']);
  provider.saveCodeVerifier('fresh');
  expect([provider.tokens(), provider.codeVerifier()]).toEqual([{ access_token: 'a', scope: 'read list' }, 'fresh']);

  provider.saveTokens({ access_token: 'b' });
  expect(kept().read()).toEqual({ tokens: { access_token: 'b' }, clientInformation: { client_id: 'c' }, scope: 'x' });
  // The tokens that were used last are not those of the file any more.
  provider.invalidateCredentials();
  expect(provider.tokens()).toEqual({ access_token: 'b' });
  provider.invalidateCredentials();
  expect(provider.tokens()).toBeUndefined();

  const page = new URL('https://as.example/authorize?scope=x%20write');
  const lacks = 'the sign-in lacks the scope "write"; mcp-verbatim login asks for it';
  expect(() => provider.redirectToAuthorization(page)).toThrow(lacks);
  expect(kept().read()?.scope).toBe('x write');
  const over = 'the sign-in is not accepted any more; sign in again with mcp-verbatim login';
  expect(() => provider.redirectToAuthorization(page)).toThrow(over);
});

test('An address is used as it is without a sign-in, with one of another address, or with its own header', () => {
  signInStore('https://a.example/mcp', env).write({ tokens: {} });
  expect(withSignIn(address, env)).toBe(address);
  kept().write({ tokens: {} });
  const own = { ...address, headers: { AUTHORIZATION: 'own' } };
  expect(withSignIn(own, env)).toBe(own);
  kept().write(undefined);
  const text = '{\n  "https://a.example/mcp": {\n    "tokens": {}\n  }\n}\n';
  expect([withSignIn(address, env), readFileSync(join(folder, 'tokens.json'), 'utf8')]).toEqual([address, text]);
  writeFileSync(join(folder, 'tokens.json'), '{"https://a.example/mcp?of=1":5}');
  expect([kept().read(), withSignIn(address, env)]).toEqual([undefined, address]);
  writeFileSync(join(folder, 'tokens.json'), '[1]');
  expect([kept().read(), signInStore('no address', env).read()]).toEqual([undefined, undefined]);
});

test('Who waits for a lock goes on when it is given back, also by work that failed, and then removes it', async () => {
  const events: string[] = [];
  const lock = join(folder, 'x.json.lock');
  let end = (): void => {};
  const first = whileLocked(env, 'x.json', async () => {
    events.push('first', readFileSync(lock, 'utf8'));
    await new Promise<void>((resolve) => (end = resolve));
    events.push('end');
  });
  const second = whileLocked(env, 'x.json', () => {
    events.push('second');
    throw new Error('failed');
  });
  const seen = [...events];
  end();
  await first;
  await expect(second).rejects.toThrow('failed');
  await whileLocked(env, 'x.json', () => void events.push('third'));
  expect(seen).toEqual(['first', String(process.pid)]);
  expect([events, existsSync(lock)]).toEqual([[...seen, 'end', 'second', 'third'], false]);
});

test.each([
  ['999999999', 0, true],
  [String(process.pid), 61, true],
  [String(process.pid), 1, false],
  ['', 1, false],
])('A lock of the process %j that is %i seconds old is over: %j', async (pid, seconds, isOver) => {
  await whileLocked(env, 'x.json', () => undefined); // makes the folder
  const lock = join(folder, 'x.json.lock');
  writeFileSync(lock, pid);
  const then = new Date(Date.now() - seconds * 1000);
  utimesSync(lock, then, then);
  let isDone = false;
  const locked = whileLocked(env, 'x.json', () => void (isDone = true));
  await Promise.resolve();
  expect([isDone, existsSync(lock) && readFileSync(lock, 'utf8') === pid]).toEqual([isOver, !isOver]);
  if (!isOver) writeFileSync(lock, '999999999');
  await locked;
  await until(() => isDone);
});

test('Every question of a form and of a page is given up with the call that asks it', async () => {
  const asked: [question: string, signal: AbortSignal | undefined][] = [];
  const opened: string[] = [];
  const lines = ['y', 'Ada', 'y', 'y', ''];
  const output = { write: () => undefined };
  const context = {
    terminal: terminalFor({ stdout: output, stderr: output, env: {} }, false),
    ask: (question: string, signal?: AbortSignal) => Promise.resolve((asked.push([question, signal]), lines.shift()!)),
    open: (url: string) => Promise.resolve(opened.push(url) > 0),
  } as unknown as Context; // only the members that are read
  const given = { words: [], command: undefined, answer: [], answers: undefined, decline: false };
  const { elicit } = answering(given, context);
  const { signal } = new AbortController();
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  const form = {
    ...{ mode: 'form', message: 'Who?', tool: 'ask', signal, schema },
    check: (content: object) => ({ content: { ...content, age: 7 }, problems: [] }),
  } as unknown as FormElicitation;
  const page = { mode: 'url', message: 'Visit', url: 'https://a.example/x', host: 'a.example', signal };
  expect([await elicit!(form), await elicit!(page as unknown as UrlElicitation)]).toEqual([
    { action: 'accept', content: { name: 'Ada' } },
    { action: 'accept' },
  ]);
  expect(asked).toEqual([
    ['Will you answer? [y/N] ', signal],
    ['(Enter to leave it out) > ', signal],
    ['Send it? [y/N] ', signal],
    ['Open it? [y/N] ', signal],
    ['Press Enter when you are done there. ', signal],
  ]);
  expect([opened, asked.every(([, each]) => each === signal)]).toEqual([['https://a.example/x'], true]);
});
