import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startOAuthServer, type OAuthServer } from '../../test-support/servers/oauth.js';
import { until } from '../../test-support/waiting.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { start } from './built.js';
import { cli, containing, matching } from './run.js';

let server: OAuthServer;
let home: string;
let env: Record<string, string>;
let file: string;

beforeEach(async () => {
  server = await startOAuthServer({ refreshTokens: true });
  onTestFinished(() => server.close());
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

/** Signs in as a person does: in the page that is opened, which leads back to the command. */
const signIn = (url = server.url) =>
  cli(['login', '--url', url], { env, open: (page) => fetch(page).then(() => true) });

describe('login', () => {
  test('signs in through a page, keeps the tokens where nobody else can read them, and --url uses them', async () => {
    expect(await list()).toMatchObject({ code: 4, stderr: containing('mcp-verbatim login') });
    const { running, page } = await startLogin();
    expect(await (await fetch(page)).text()).toContain('You can close this page');
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`Signed in to ${server.url}.`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(server.given.every((token) => !stderr.includes(token))).toBe(true);

    expect(await list()).toMatchObject({ code: 0, stdout: matching(/^echo\t/) });
    expect(server.tokenRequests).toHaveLength(1);
  });

  test('has tokens that expired renewed, and keeps the new ones', async () => {
    await signIn();
    const first = readFileSync(file, 'utf8');
    server.revoke();
    expect(await list()).toMatchObject({ code: 0 });
    expect(server.tokenRequests.map(({ form }) => form['grant_type'])).toEqual(['authorization_code', 'refresh_token']);
    expect(readFileSync(file, 'utf8')).not.toBe(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await list()).toMatchObject({ code: 0 });
    expect(server.tokenRequests).toHaveLength(2);
  });

  test('is asked for again where the agreement has ended', async () => {
    await signIn();
    server.revoke();
    server.endAgreement();
    const { code, stderr } = await list();
    expect(code).toBe(4);
    expect(stderr).toContain('sign in again with mcp-verbatim login');
    expect((await signIn()).code).toBe(0);
    expect(await list()).toMatchObject({ code: 0 });
  });

  test('is used for servers of a file, and a header Authorization in its place', async () => {
    await signIn();
    const config = join(home, 'mcp.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { one: { url: server.url } } }));
    expect(await cli(['list', '--config', config], { env })).toMatchObject({ code: 0 });
    const given = await list(server.url, '--header', 'Authorization: Bearer other');
    expect(given).toMatchObject({ code: 4 });
    expect(server.seen.at(-1)?.headers['authorization']).toBe('Bearer other');
  });

  test('takes no answer that does not know its state', async () => {
    const { running, page } = await startLogin();
    const back = `${page.searchParams.get('redirect_uri')!}?code=stolen&state=guessed`;
    expect((await fetch(back)).status).toBe(404);
    await fetch(page);
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(server.tokenRequests.map(({ form }) => form['code'])).toEqual(['agreed']);
  });

  test('says so where the user refuses', async () => {
    const { running, page } = await startLogin();
    const { searchParams } = page;
    const query = new URLSearchParams({ error: 'access_denied', state: searchParams.get('state')! });
    await fetch(`${searchParams.get('redirect_uri')!}?${query.toString()}`);
    const { code, stderr } = await running.ended;
    expect(code).toBe(4);
    expect(stderr).toContain('access_denied');
    expect(server.tokenRequests).toEqual([]);
  });

  test('ends by Ctrl-C while it waits', async () => {
    const { running } = await startLogin();
    running.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130 });
  });

  test('is for a server with a URL', async () => {
    expect(await cli(['login', '--', 'node'], { env })).toMatchObject({
      code: 2,
      stderr: containing('Only a server with a URL'),
    });
  });
});

test('logout forgets the tokens of one server, and keeps the others', async () => {
  const other = await startOAuthServer();
  onTestFinished(() => other.close());
  const logout = () => cli(['logout', ...at()], { env });
  for (const url of [other.url, server.url]) expect(await signIn(url)).toMatchObject({ code: 0 });
  expect(await logout()).toMatchObject({ code: 0, stderr: `Signed out of ${server.url}.\n` });
  expect(await list()).toMatchObject({ code: 4 });
  expect(await list(other.url)).toMatchObject({ code: 0 });
  expect(await logout()).toMatchObject({ stderr: `There is no sign-in to ${server.url}.\n` });
});
