import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuthorizationError, type HttpAddress, isConfidential, ownFetch, serverIdentity } from '../../internal.js';
import { isObject, messageOf, valueAt } from '../../json/index.js';
import { command, exitCodes, flag, portOption, serverOptions, text, UsageError } from '../command.js';
import type { ServerChoice } from '../command.js';
import type { Context } from '../context.js';
import { chosenServer } from '../servers/choose.js';
import { expand, secretFrom } from '../servers/config-file.js';
import { withSession } from '../servers/sessions.js';
import { keepingProvider, scopesOf, type SignIn, signInStore } from '../servers/sign-in.js';

const patience = 10 * 60_000;

export const login = command({
  about:
    'Signs in to a server that requires OAuth: opens its page in the browser, or shows its address. The tokens are kept in mcp-verbatim/tokens.json of your settings folder, which only you can read. From then on every command uses and renews them for this address. A header Authorization takes precedence. If a server wanted more permissions than the last sign-in had, login asks for them.',
  options: {
    ...serverOptions,
    'client-id': text('ID', 'sign in as this client; without it, mcp-verbatim registers itself at the server'),
    'client-secret': text("'${NAME}'", 'the secret of this client; read from a variable, or with @FILE from a file'),
    'client-metadata': text('URL', "the client's ID metadata document, for servers that read one"),
    scope: text('"A B"', 'ask for exactly these permissions'),
    'callback-port': portOption('have the browser come back to this port of 127.0.0.1; default: any free one'),
    'no-browser': flag('open no browser; read from the terminal, or stdin, the address that it ended at elsewhere'),
  },
  examples: ['login --url https://example.com/mcp', 'login --config mcp.json --server tracker'],
  async run(given, context) {
    const { terminal, env, signal } = context;
    const { address, oauth } = await placeOf(given, context);
    const kept = signInStore(address.url, env).read();
    const { clientId: configured } = oauth;
    const clientId = given['client-id'] ?? (typeof configured === 'string' ? expand(configured, env) : undefined);
    const secret = given['client-secret'];
    if (secret !== undefined && clientId === undefined)
      throw new UsageError('--client-secret only works with --client-id.');
    const client = secret === undefined ? {} : { client_secret: secretFrom('client-secret', secret, context) };
    const signIn: SignIn = clientId === undefined ? {} : { clientInformation: { client_id: clientId, ...client } };
    const listener = await startListener(given['callback-port'] ?? Number(oauth['callbackPort'] ?? 0));
    let response = listener.next();
    const over = new AbortController();
    const authProvider = {
      ...keepingProvider(address.url, env, listener.url, () => signIn),
      ...(given['client-metadata'] !== undefined && { clientMetadataUrl: given['client-metadata'] }),
      state: () => listener.state,
      wantedScope: () => scopesOf(kept).join(' '),
      saveClientInformation: (information: unknown) => void (signIn.clientInformation = information),
      saveDiscoveryState: (found: unknown) => {
        const revocation = valueAt(found, '/authorizationServerMetadata/revocation_endpoint');
        if (typeof revocation === 'string') signIn.revocationUrl = revocation;
      },
      redirectToAuthorization: (url: URL) => {
        // The list of tools may need more scope: each page has an answer of its own.
        if (signIn.tokens && given.scope !== undefined)
          throw new Error('the list of tools needs more than --scope names');
        response = listener.next();
        signIn.scope = given.scope ?? scopesOf({ ...kept, ...signIn }, url.searchParams).join(' ');
        if (signIn.scope !== '') url.searchParams.set('scope', signIn.scope);
        return show(url, given['no-browser'], context);
      },
      authorizationResponse: () =>
        given['no-browser'] ? Promise.race([response, pasted(context, over.signal)]) : response,
    };
    const limits = { 'idle-timeout': given['idle-timeout'] ?? patience };
    await withSession({ address: { ...address, authProvider } }, limits, context, async (session) => {
      // Some servers require the sign-in only here.
      await session.listTools({ signal });
    })
      .catch((error: unknown) => {
        throw error instanceof AuthorizationError ? Object.assign(error, { hint: hintFor(error, signIn) }) : error;
      })
      .finally(() => {
        over.abort();
        listener.close();
      });
    const where = serverIdentity(address);
    terminal.note(signIn.tokens === undefined ? `${where} requires no sign-in.` : `Signed in to ${where}.`);
    return exitCodes.success;
  },
});

function hintFor({ message }: AuthorizationError, { tokens }: SignIn): string {
  if (tokens) return 'The sign-in is kept. Without --scope, login asks for what the server names.';
  return /dynamic (?:client )?registration/i.test(message)
    ? 'Register a client with whoever runs the server, and name it: --client-id ID, and --client-secret if it has one.'
    : 'Nothing was kept. Start again once the reason is gone.';
}

export const logout = command({
  about:
    'Forgets the tokens that login has kept for the server, and asks the server to revoke them. Otherwise the server accepts them until they expire.',
  options: serverOptions,
  examples: ['logout --url https://example.com/mcp'],
  async run(given, context) {
    const { address } = await placeOf(given, context);
    const where = serverIdentity(address);
    const store = signInStore(address.url, context.env);
    const kept = store.read();
    if (kept)
      await store.locked(() => {
        store.write(undefined);
      });
    const rest = kept && !(await revoked(kept)) ? ' The server accepts its tokens until they expire.' : '';
    context.terminal.note(kept ? `Signed out of ${where}.${rest}` : `There is no sign-in to ${where}.`);
    return exitCodes.success;
  },
});

async function placeOf(given: ServerChoice, context: Context) {
  const { address, entry } = await chosenServer(given, context);
  if (address.transport === 'stdio') throw new UsageError('Only a server with a URL has a sign-in: give --url URL.');
  const oauth = valueAt(entry, '/oauth');
  return { address: address satisfies HttpAddress, oauth: isObject(oauth) ? oauth : {} };
}

/** True if the authorization server has revoked the tokens (RFC 7009). */
async function revoked({ tokens, clientInformation, revocationUrl = '' }: SignIn): Promise<boolean> {
  if (!URL.canParse(revocationUrl) || !isConfidential(new URL(revocationUrl)) || !isObject(tokens)) return false;
  const { client_id: id, client_secret: secret } = isObject(clientInformation) ? clientInformation : {};
  const credentials = [id, secret].map((part) => encodeURIComponent(String(part))).join(':');
  const headers = secret === undefined ? {} : { authorization: `Basic ${btoa(credentials)}` };
  const revoke = async (kind: string) => {
    if (typeof tokens[kind] !== 'string') return true;
    const form = { token: tokens[kind], token_type_hint: kind, ...(secret === undefined && { client_id: String(id) }) };
    const body = new URLSearchParams(form);
    return (await ownFetch(revocationUrl, { method: 'POST', headers, body })).ok;
  };
  return (await revoke('refresh_token').catch(() => false)) && revoke('access_token').catch(() => false);
}

async function show(url: URL, isElsewhere: boolean, { terminal, open }: Context): Promise<void> {
  terminal.status('');
  terminal.note(`Sign in at ${terminal.paint.bold(url.host)}:`);
  terminal.note(url.href);
  if (!isElsewhere && open && !(await open(url.href)))
    terminal.note('No browser could be started. Open the page yourself.');
}

/** The query of the address that a browser on another machine ended at, which leads nowhere there. */
async function pasted({ ask, stdin, terminal }: Context, signal: AbortSignal): Promise<URLSearchParams> {
  const question = 'The browser ends at an address that it cannot open. Paste this address here: ';
  let typed = '';
  if (ask) typed = await ask(question, signal);
  else {
    terminal.note(question);
    for await (const chunk of stdin) if ((typed += String(chunk)).includes('\n')) break;
  }
  if (!URL.canParse(typed.trim())) throw new Error('what was pasted is not an address');
  return new URL(typed.trim()).searchParams;
}

/** Waits on loopback for the browser to return from the sign-in page. */
async function startListener(wanted: number) {
  const state = randomUUID();
  let answer: (query: URLSearchParams) => void = () => undefined;
  const next = () => new Promise<URLSearchParams>((resolve) => (answer = resolve));
  const server = createServer((request, page) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    // Any page in the browser can send it here; only the one that was asked knows the state (RFC 6749, 10.12).
    const isOurs = request.method === 'GET' && pathname === '/callback' && searchParams.get('state') === state;
    page.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    page.end(isOurs ? 'You can close this page. The terminal says how it went.\n' : 'There is nothing here.\n');
    if (isOurs) answer(searchParams);
  });
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    throw new UsageError(`The browser cannot come back to port ${wanted}: ${messageOf(error)}`);
  });
  const { port } = server.address() as AddressInfo; // of a server that listens at a port, it is one
  return {
    state,
    next,
    url: `http://127.0.0.1:${port}/callback`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
