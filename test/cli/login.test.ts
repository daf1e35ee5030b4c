import dns from 'node:dns';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../test-support/free-port.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { startOAuthServer, type OAuthServer } from '../../test-support/servers/oauth.js';
import { until } from '../../test-support/waiting.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { start } from './built.js';
import { cli, containing, matching } from './run.js';

let server: OAuthServer;
let home: string;
let env: Record<string, string>;
let file: string;

/** A server that is closed after the test. */
async function started(options?: Parameters<typeof startOAuthServer>[0]): Promise<OAuthServer> {
  const running = await startOAuthServer(options);
  onTestFinished(() => running.close());
  return running;
}

beforeEach(async () => {
  server = await started({ refreshTokens: true });
  home = temporaryFolder(onTestFinished);
  env = { XDG_CONFIG_HOME: home };
  file = join(home, 'mcp-verbatim', 'tokens.json');
});

const list = (url = server.url, ...more: string[]) => cli(['list', '--url', url, ...more], { env });
const at = () => ['--url', server.url];
const shownPage = (stderr: string) => /^http\S+\/authorize\?\S+$/m.exec(stderr)?.[0];

async function startLogin() {
  const running = start(['login', ...at()], { env });
  await until(() => shownPage(running.written.stderr) !== undefined);
  return { running, page: new URL(shownPage(running.written.stderr)!) };
}

/** Signs in like a person: on the page that is opened, which redirects to the command. */
const login = (...options: string[]) =>
  cli(['login', ...options], { env, open: (page) => fetch(page).then(() => true) });
const signIn = (url = server.url, ...options: string[]) => login('--url', url, ...options);

/** The scopes that the user was asked for, in order. */
const askedScopes = ({ seen, url }: OAuthServer) =>
  seen
    .filter(({ path }) => path.startsWith('/authorize'))
    .map(({ path }) => new URL(path, url).searchParams.get('scope')?.split(' ').sort().join(' '));
const grants = () => server.tokenRequests.map(({ form }) => form['grant_type']);

/** A configuration with one server. */
function configured(more: object = {}): string {
  const config = join(home, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { one: { url: server.url, ...more } } }));
  return config;
}

describe('login', () => {
  test('login signs in through a page and stores the tokens for --url, readable by their owner alone', async () => {
    expect(await list()).toMatchObject({ code: 4, stderr: containing('mcp-verbatim login') });
    const { running, page } = await startLogin();
    const said = await fetch(page);
    expect(await said.text()).toBe('You can close this page. The terminal says how it went.\n');
    const headers = ['content-type', 'connection'].map((name) => said.headers.get(name));
    expect(headers).toEqual(['text/plain; charset=utf-8', 'close']);
    const { code, stdout, stderr } = await running.ended;
    const shown = `Sign in at ${page.host}:\n${page.href}\nSigned in to ${server.url}.\n`;
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: shown });
    const redirect = page.searchParams.get('redirect_uri');
    expect(server.seen.find(({ path }) => path === '/register')?.body).toEqual({
      application_type: 'native',
      client_name: 'mcp-verbatim',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect([statSync(dirname(file)).mode & 0o777, redirect]).toEqual([
      0o700,
      matching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(server.given.every((token) => !stderr.includes(token))).toBe(true);

    expect(await list()).toMatchObject({ code: 0, stdout: matching(/^echo\t/) });
    expect(server.tokenRequests).toHaveLength(1);
  });

  test('login renews expired tokens and stores the new ones', async () => {
    await signIn();
    const first = readFileSync(file, 'utf8');
    server.revoke();
    expect(await list()).toMatchObject({ code: 0 });
    expect(grants()).toEqual(['authorization_code', 'refresh_token']);
    expect(readFileSync(file, 'utf8')).not.toBe(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await list()).toMatchObject({ code: 0 });
    expect(server.tokenRequests).toHaveLength(2);
  });

  test('An ended grant gives an error that asks for another login', async () => {
    await signIn();
    server.revoke();
    server.endAgreement();
    const { code, stderr } = await list();
    expect(code).toBe(4);
    expect(stderr).toContain('sign in again with mcp-verbatim login');
    expect((await signIn()).code).toBe(0);
    expect(await list()).toMatchObject({ code: 0 });
  });

  test('The tokens of login are used for servers of a file, unless the entry has an Authorization header', async () => {
    await signIn();
    expect(await cli(['list', '--config', configured()], { env })).toMatchObject({ code: 0 });
    const given = await list(server.url, '--header', 'Authorization: Bearer other');
    expect(given).toMatchObject({ code: 4 });
    expect(server.seen.at(-1)?.headers['authorization']).toBe('Bearer other');
  });

  test('login ignores an answer without its state, at another path or by another method', async () => {
    const open = async (shown: string) => {
      const page = new URL(shown);
      const redirect = page.searchParams.get('redirect_uri')!;
      const state = `state=${page.searchParams.get('state')!}`;
      for (const [url, method] of [
        [`${redirect}?code=stolen&state=guessed`, 'GET'],
        [`${redirect}?code=stolen`, 'GET'],
        [`${redirect}s?code=stolen&${state}`, 'GET'],
        [`${redirect}?code=stolen&${state}`, 'POST'],
      ] as const) {
        const answer = await fetch(url, { method });
        expect([answer.status, await answer.text()]).toEqual([404, 'There is nothing here.\n']);
      }
      await expect(fetch(redirect.replace('127.0.0.1', '[::1]'))).rejects.toThrow('fetch failed');
      return (await fetch(page)).ok;
    };
    expect(await cli(['login', ...at()], { env, open })).toMatchObject({ code: 0 });
    expect(server.tokenRequests.map(({ form }) => form['code'])).toEqual(['agreed']);
  });

  test('Ctrl-C ends a login that waits', async () => {
    const { running } = await startLogin();
    running.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130 });
  });

  test('login renews tokens once if two processes find them expired at the same time', async () => {
    await signIn();
    server.revoke();
    server.gatherRefused(2);
    const both = await Promise.all([1, 2].map(() => start(['list', ...at()], { env }).ended));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(grants()).toEqual(['authorization_code', 'refresh_token']);
  });

  test('login reads tokens again that another process has renewed without a lock', async () => {
    let renewed = '';
    const shared = await started({
      refreshTokens: true,
      refusal: () => {
        if (renewed !== '') writeFileSync(file, renewed);
        return undefined;
      },
    });
    await signIn(shared.url);
    const before = readFileSync(file, 'utf8');
    shared.revoke();
    await list(shared.url);
    const after = readFileSync(file, 'utf8');
    writeFileSync(file, before);
    renewed = after;
    expect(await list(shared.url)).toMatchObject({ code: 0 });
  });

  test('login waits for another process that changes the tokens, but not for one that is gone, or for more than a minute', async () => {
    await signIn();
    const lock = `${file}.lock`;
    const gone = start(['--version']);
    await gone.ended;
    const renewed = async (pid: number | undefined, ageMs = 0) => {
      writeFileSync(lock, String(pid));
      const then = new Date(Date.now() - ageMs);
      utimesSync(lock, then, then);
      server.revoke();
      const before = [server.seen.length, server.tokenRequests.length] as const;
      const listed = list();
      await until(() => server.seen.length > before[0]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      const isWaiting = ageMs === 0 && pid === process.pid;
      if (isWaiting) expect(server.tokenRequests).toHaveLength(before[1]);
      if (isWaiting) rmSync(lock);
      expect(await listed).toMatchObject({ code: 0 });
      return [server.tokenRequests.length - before[1], existsSync(lock)];
    };
    expect(await renewed(process.pid)).toEqual([1, false]);
    expect(await renewed(process.pid, 61_000)).toEqual([1, false]);
    expect(await renewed(gone.pid)).toEqual([1, false]);
    writeFileSync(lock, String(process.pid));
    const signedOut = cli(['logout', ...at()], { env });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(readFileSync(file, 'utf8')).toContain('access_token');
    rmSync(lock);
    expect(await signedOut).toMatchObject({ code: 0 });
  });

  test('login asks for the scope that a call lacked, beside the scopes that it had', async () => {
    const scoped = await started({
      scopes: ['read', 'write', 'delete'],
      missingScope: ({ message }, had) =>
        message.method === 'tools/call' && !had.includes('write') ? 'write' : undefined,
    });
    const call = () => cli(['call', 'echo', 'a=1', '--url', scoped.url], { env });
    await signIn(scoped.url, '--scope', 'read');
    const { code, stderr } = await call();
    expect(code).toBe(4);
    expect(stderr).toContain(
      'denied access (HTTP 403): the sign-in lacks the scope "write"; mcp-verbatim login asks for it.',
    );
    expect(stderr).not.toContain('not accepted');
    expect((await signIn(scoped.url)).code).toBe(0);
    expect(askedScopes(scoped)).toEqual(['read', 'read write']);
    expect(await call()).toMatchObject({ code: 0 });
  });

  test('login asks once more if the list of tools needs a scope that nobody has named before', async () => {
    const scopes: string[] = [];
    const scoped = await started({
      scopes,
      missingScope: ({ message }, had) =>
        message.method === 'tools/list' && scopes.length > 0 && !had.includes('write') ? 'write' : undefined,
    });
    await signIn(scoped.url);
    scopes.push('read');
    // A person takes a while.
    const open = (page: string) => {
      setTimeout(() => void fetch(page), 100);
      return Promise.resolve(true);
    };
    expect(await cli(['login', '--url', scoped.url], { env, open })).toMatchObject({ code: 0 });
    expect(askedScopes(scoped)).toEqual([undefined, 'read', 'read write']);
    expect(await list(scoped.url)).toMatchObject({ code: 0 });
  });

  test('login asks for all scopes of the metadata if no scope is named, and later for the granted ones', async () => {
    const listing = await started({ scopes: ['read', 'write'] });
    await signIn(listing.url);
    await cli(['logout', '--url', listing.url], { env });
    await signIn(listing.url, '--scope', 'read');
    listing.revoke();
    expect((await list(listing.url)).stderr).toContain('the sign-in is not accepted any more');
    await signIn(listing.url);
    expect(askedScopes(listing)).toEqual(['read write', 'read', 'read']);
  });

  const declined = async (page: string) => {
    const { searchParams } = new URL(page);
    const query = new URLSearchParams({ error: 'access_denied', state: searchParams.get('state')! });
    return (await fetch(`${searchParams.get('redirect_uri')!}?${query.toString()}`)).ok;
  };
  const [signedIn, nobody] = [(page: string) => fetch(page).then(() => true), () => Promise.resolve(true)];
  const again = 'Nothing was kept. Start again once the reason is gone.';
  const [refused, forbidden] = ['requires authorization (HTTP 401): ', 'denied access (HTTP 403): '];
  test.each([
    [[], {}, declined, `${refused}access_denied.`, again],
    [['--no-browser'], { stdin: 'nowhere\n' }, nobody, `${refused}what was pasted is not an address.`, again],
    [
      ['--no-browser'],
      { stdin: 'http://127.0.0.1/?state=other&code=a\n' },
      nobody,
      `${refused}the redirect does not belong to this sign-in: its "state" differs.`,
      again,
    ],
    [
      ['--scope', 'read'],
      {},
      signedIn,
      `${forbidden}the list of tools needs more than --scope names.`,
      'The sign-in is kept. Without --scope, login asks for what the server names.',
    ],
    [
      [],
      { registration: false },
      signedIn,
      `${refused}Incompatible auth server: does not support dynamic client registration.`,
      'Register a client with whoever runs the server, and name it: --client-id ID, and --client-secret if it has one.',
    ],
    [
      ['--idle-timeout', '0.2'],
      { isSilent: true },
      nobody,
      'did not answer the attempt to connect within 200 ms.',
      'Raise the timeout if the server is known to take long; otherwise check that it is up and not stuck.',
    ],
  ])('login with %j and %j that fails says why, and what to do', async (options, about, open, why, hint) => {
    const {
      stdin = '',
      registration = true,
      isSilent,
    } = about as {
      stdin?: string;
      registration?: boolean;
      isSilent?: boolean;
    };
    await using silent = await startHttpServer(() => {});
    const asking = await started({
      registration,
      missingScope: ({ message }, had) =>
        message.method === 'tools/list' && !had.includes('write') ? 'write' : undefined,
    });
    const { url } = isSilent ? silent : asking;
    const { stderr, ...ran } = await cli(['login', '--url', url, ...options], { env, stdin, open });
    expect(ran).toEqual({ code: 4, stdout: '' });
    expect(stderr.replace(/^Sign in at [^]*(?=^error)/m, '')).toBe(`error: ${url} ${why}\n  ${hint}\n`);
  });

  const isRegistered = () => server.seen.some(({ path }) => path === '/register');

  test('login signs in as a registered client with its secret from a file, and listens on a given port', async () => {
    const secret = join(home, 'secret');
    writeFileSync(secret, 'hush-hush\n');
    const port = await freePort();
    const options = ['--client-id', 'mine', '--client-secret', `@${secret}`, '--callback-port', String(port)];
    expect(await login(...at(), ...options)).toMatchObject({ code: 0 });
    expect(isRegistered()).toBe(false);
    const [{ form, authorization }] = server.tokenRequests as [(typeof server.tokenRequests)[0]];
    expect(authorization).toBe(`Basic ${btoa('mine:hush-hush')}`);
    expect(form['redirect_uri']).toBe(`http://127.0.0.1:${port}/callback`);
    await expect(fetch(`http://127.0.0.1:${port}/callback`)).rejects.toThrow('fetch failed');
    const taken = new URL(server.url).port;
    expect(await login(...at(), '--callback-port', taken)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: The browser cannot come back to port ${taken}: listen EADDRINUSE: address already in use 127.0.0.1:${taken}\n`,
    });
    server.revoke();
    expect(await list()).toMatchObject({ code: 0 });
    const plain = await login(...at(), '--client-id', 'mine', '--client-secret', 'plain');
    expect(plain).toMatchObject({ code: 2, stderr: containing('names a variable or a file') });
  });

  test('login reads the client and the port from a configuration', async () => {
    const oauth = { clientId: '${CLIENT:-configured}', callbackPort: await freePort(), scopes: 'a' };
    const ran = await login('--config', configured({ oauth }));
    expect(ran).toMatchObject({ code: 0, stderr: containing('one: "oauth.scopes" is not known.') });
    const redirect_uri = `http://127.0.0.1:${oauth.callbackPort}/callback`;
    expect(server.tokenRequests[0]?.form).toMatchObject({ client_id: 'configured', redirect_uri });
    await login('--config', configured({ oauth }), '--client-id', 'named', '--callback-port', '0');
    expect(server.tokenRequests[1]?.form['client_id']).toBe('named');
    expect(server.tokenRequests[1]?.form['redirect_uri']).not.toBe(redirect_uri);
  });

  test('login names a client ID metadata document if the server reads one', async () => {
    const document = 'https://app.example/client.json';
    expect(await login(...at(), '--client-metadata', document)).toMatchObject({ code: 0 });
    expect(server.tokenRequests[0]?.form['client_id']).toBe(document);
    expect(isRegistered()).toBe(false);
  });

  test('login without a browser on this machine takes the address at which a browser elsewhere ended', async () => {
    const ended = async (page: string) => (await fetch(page, { redirect: 'manual' })).headers.get('location')!;
    const stdin = async (shown: string) => `${await ended(shownPage(shown)!)}\n`;
    const open = vi.fn<() => Promise<boolean>>();
    const ran = await cli(['login', ...at(), '--no-browser'], { env, stdin, open });
    expect(ran).toMatchObject({ code: 0, stderr: containing('Paste this address') });
    expect(open).not.toHaveBeenCalled();
    expect(await list()).toMatchObject({ code: 0 });
  });

  test('login stops asking for an address, and ends every connection, once the browser has come back', async () => {
    const times = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => times.mockRestore());
    const ended: Promise<unknown>[] = [];
    const answer = async (shown: string, signal?: AbortSignal) => {
      const page = new URL(shownPage(shown)!);
      const idle = connect(Number(new URL(page.searchParams.get('redirect_uri')!).port), '127.0.0.1');
      await once(idle, 'connect');
      ended.push(once(idle, 'close'), once(signal!, 'abort'));
      await fetch(page);
      await ended[1];
      return '';
    };
    expect(await cli(['login', ...at(), '--no-browser'], { env, answer })).toMatchObject({ code: 0 });
    await Promise.all(ended);
    expect([ended.length, times.mock.calls.some(([, ms]) => ms === 600_000)]).toEqual([2, true]);
  });

  test.each([true, false])(
    'login goes on if no browser could be started, and says so only then (%s)',
    async (isStarted) => {
      const open = (page: string) => fetch(page).then(() => isStarted);
      const ran = await cli(['login', ...at()], { env: { ...env, NO_COLOR: '1' }, open, columns: 80 });
      const said = isStarted ? '' : 'No browser could be started. Open the page yourself.\n';
      const shown = `\r\x1b[Kconnecting …\r\x1b[KSign in at ${new URL(server.url).host}:\nPAGE\n${said}\r\x1b[KSigned in to ${server.url}.\n`;
      expect({ ...ran, stderr: ran.stderr.replace(/^http.*$/m, 'PAGE') }).toEqual({
        code: 0,
        stdout: '',
        stderr: shown,
      });
    },
  );
});

test.each([
  [{ tokens: { access_token: 'a', refresh_token: 'r' }, revocationUrl: '' }, [], true],
  [{ tokens: { access_token: 'a', refresh_token: 'r' }, revocationUrl: 'http://revoke.invalid/' }, [], true],
  [{ tokens: 'a' }, [], true],
  [{ tokens: { access_token: 'a', refresh_token: 'r' } }, ['r', 'a'], false],
  [{ tokens: { access_token: 'a' } }, ['a'], false],
  [{ tokens: { refresh_token: 'r' } }, ['r'], false],
  [{ tokens: { access_token: 'a', refresh_token: 'bad' } }, ['bad'], true],
  [{ tokens: { access_token: 'bad', refresh_token: 'r' } }, ['r', 'bad'], true],
])('logout of what is kept as %j has %j revoked', async (kept, sent, lasts) => {
  await using place = await startHttpServer(({ text, status }) => status(text.includes('bad') ? 400 : 200));
  const { origin, url } = place;
  const lookups = vi.spyOn(dns, 'lookup');
  onTestFinished(() => lookups.mockRestore());
  const other = { scope: 'of another' };
  mkdirSync(dirname(file), { recursive: true });
  const own = { clientInformation: { client_id: 'mine' }, revocationUrl: `${origin}/revoke`, ...kept };
  writeFileSync(file, JSON.stringify({ [url]: own, other }));
  const rest = lasts ? ' The server accepts its tokens until they expire.' : '';
  const stderr = `Signed out of ${url}.${rest}\n`;
  expect(await cli(['logout', '--url', url], { env })).toEqual({ code: 0, stdout: '', stderr });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ other });
  const asked = place.seen.map(({ verb, path, text, headers }) => [
    verb,
    path,
    Object.fromEntries(new URLSearchParams(text)),
    headers.authorization,
  ]);
  const kinds = Object.entries(kept.tokens);
  const formOf = (token: string) => {
    return { token, token_type_hint: kinds.find(([, each]) => each === token)?.[0], client_id: 'mine' };
  };
  expect(asked).toEqual(sent.map((token) => ['POST', '/revoke', formOf(token), undefined]));
  expect(lookups.mock.calls.filter(([host]) => host === 'revoke.invalid')).toEqual([]);
});

test('logout forgets the tokens of one server, and keeps the others', async () => {
  const other = await started();
  const logout = () => cli(['logout', ...at()], { env });
  for (const url of [other.url, server.url]) expect(await signIn(url)).toMatchObject({ code: 0 });
  const until = 'The server accepts its tokens until they expire.';
  expect(await logout()).toMatchObject({ code: 0, stderr: `Signed out of ${server.url}. ${until}\n` });
  expect(await list()).toMatchObject({ code: 4 });
  expect(await list(other.url)).toMatchObject({ code: 0 });
  expect(await logout()).toMatchObject({ stderr: `There is no sign-in to ${server.url}.\n` });
});

test('The sign-ins are in the folder of settings of the user, and nowhere else', async () => {
  const place = (...folders: string[]) => join(home, ...folders, 'mcp-verbatim');
  const [of, url] = [
    { XDG_CONFIG_HOME: join(home, 'xdg'), APPDATA: join(home, 'data'), HOME: join(home, 'user') },
    server.url,
  ];
  const [xdg, data, user] = [place('xdg'), place('data'), place('user', '.config')];
  const folders = [xdg, data, user];
  const placed = async (own: Record<string, string>) => {
    const { code, stderr } = await cli(['login', '--url', url], {
      env: own,
      open: (page) => fetch(page).then(() => true),
    });
    if (code !== 0) return stderr;
    const { stderr: said } = await cli(['logout', '--url', url], { env: own });
    expect(said).toContain('Signed out');
    const found = folders.filter((folder) => existsSync(join(folder, 'tokens.json')));
    for (const folder of found) rmSync(folder, { recursive: true });
    return found;
  };
  expect(await placed(of)).toEqual([xdg]);
  expect(await placed({ ...of, XDG_CONFIG_HOME: '' })).toEqual([data]);
  expect(await placed({ HOME: of.HOME })).toEqual([user]);
  expect(await placed({ HOME: '' })).toContain('There is no folder of settings: set HOME or XDG_CONFIG_HOME.');
});

test('logout has the server revoke the tokens if it can', async () => {
  const revoking = await started({ refreshTokens: true, revocation: true });
  await signIn(revoking.url);
  const [token, renewal] = revoking.given;
  const ran = await cli(['logout', '--url', revoking.url], { env });
  expect(ran).toMatchObject({ code: 0, stderr: `Signed out of ${revoking.url}.\n` });
  const forms = () =>
    revoking.seen.splice(0).flatMap(({ path, text, headers: { authorization } }) => {
      return path === '/revoke' ? [{ ...Object.fromEntries(new URLSearchParams(text)), authorization }] : [];
    });
  const authorization = `Basic ${btoa('mine:hush%20hush')}`;
  const both = (kinds: (string | undefined)[], more: object) =>
    kinds.map((token, at) => ({ token, token_type_hint: ['refresh_token', 'access_token'][at], ...more }));
  expect(forms()).toEqual(both([renewal, token], { client_id: 'registered', authorization: undefined }));
  const secret = join(home, 'secret');
  writeFileSync(secret, 'hush hush');
  await signIn(revoking.url, '--client-id', 'mine', '--client-secret', `@${secret}`);
  await cli(['logout', '--url', revoking.url], { env });
  expect(forms()).toEqual(both(revoking.given.slice(2).reverse(), { authorization }));
  expect(await list(revoking.url, '--header', `Authorization: Bearer ${token!}`)).toMatchObject({ code: 4 });
});
