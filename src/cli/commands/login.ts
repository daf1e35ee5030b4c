import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HttpAddress, serverIdentity } from '../../internal.js';
import { command } from '../command.js';
import type { Context } from '../context.js';
import { exitCodes, UsageError } from '../exit.js';
import { type ServerChoice, serverOptions } from '../server-options.js';
import { chosenServer } from '../servers/choose.js';
import { withSession } from '../servers/sessions.js';
import { keepingProvider, type SignIn, signInStore } from '../servers/sign-in.js';

const patience = 10 * 60_000;

export const login = command({
  about: `Signs in to a server that requires OAuth: opens its page in the browser, or shows its address. The tokens are
kept in mcp-verbatim/tokens.json of your settings folder, which only you can read. From then on every command uses and
renews them for this address. A header Authorization takes precedence.`,
  options: serverOptions,
  examples: ['login --url https://example.com/mcp', 'login --config mcp.json --server tracker'],
  async run(given, context) {
    const { terminal, env, signal } = context;
    const address = await addressOf(given, context);
    const listener = await startListener();
    const signIn: SignIn = {};
    const authProvider = {
      ...keepingProvider(address.url, env, listener.url, () => signIn),
      state: () => listener.state,
      saveClientInformation: (information: unknown) => void (signIn.clientInformation = information),
      redirectToAuthorization: (url: URL) => show(url, context),
      authorizationResponse: () => listener.response,
    };
    const limits = { 'idle-timeout': given['idle-timeout'] ?? patience };
    await withSession({ address: { ...address, authProvider } }, limits, context, async (session) => {
      // Some servers require the sign-in only here.
      await session.listTools({ signal });
    }).finally(listener.close);
    const where = serverIdentity(address);
    terminal.note(signIn.tokens === undefined ? `${where} requires no sign-in.` : `Signed in to ${where}.`);
    return exitCodes.success;
  },
});

export const logout = command({
  about: 'Forgets the tokens that login has kept for the server. The server accepts them until they expire.',
  options: serverOptions,
  examples: ['logout --url https://example.com/mcp'],
  async run(given, context) {
    const address = await addressOf(given, context);
    const store = signInStore(address.url, context.env);
    const isKept = store.read() !== undefined;
    if (isKept) store.write(undefined);
    const where = serverIdentity(address);
    context.terminal.note(isKept ? `Signed out of ${where}.` : `There is no sign-in to ${where}.`);
    return exitCodes.success;
  },
});

async function addressOf(given: ServerChoice, context: Context): Promise<HttpAddress> {
  const { address } = await chosenServer(given, context);
  if (address.transport === 'stdio') throw new UsageError('Only a server with a URL has a sign-in: give --url URL.');
  return address;
}

/** @throws Error where what the server names is no page, or one whose connection others can read */
async function show(url: URL, { terminal, open }: Context): Promise<void> {
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback))
    throw new Error(`the server names a page to sign in that is not encrypted (${url.protocol}//${url.host})`);
  terminal.status('');
  terminal.note(`Sign in at ${terminal.paint.bold(url.host)}:`);
  terminal.note(url.href);
  if (open && !(await open(url.href))) terminal.note('No browser could be started. Open the page yourself.');
}

/** Waits on this machine alone for the browser to come back from where the user has signed in. */
async function startListener() {
  const state = randomUUID();
  let answer: (query: URLSearchParams) => void = () => {};
  const response = new Promise<URLSearchParams>((resolve) => (answer = resolve));
  const server = createServer((request, page) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    // Any page in the browser can send it here; only the one that was asked knows the state (RFC 6749, 10.12).
    const isOurs = request.method === 'GET' && pathname === '/callback' && searchParams.get('state') === state;
    page.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    page.end(isOurs ? 'You can close this page. The terminal says how it went.\n' : 'There is nothing here.\n');
    if (isOurs) answer(searchParams);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a server that listens at a port, it is one
  return {
    state,
    response,
    url: `http://127.0.0.1:${port}/callback`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
