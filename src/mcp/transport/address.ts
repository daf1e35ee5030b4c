import { ConfigurationError, didYouMean, isObject, quote, texts } from '../../json/index.js';

/**
 * The address of a server. `http` (the default for a URL) is streamable HTTP, `sse` the older SSE transport. `stdio`
 * starts a process, without a shell.
 */
export type ServerAddress = HttpAddress | StdioAddress;

/** A server with a URL. */
export interface HttpAddress {
  /** Default `http`, which falls back to `sse` if the server rejects it. */
  transport?: 'http' | 'sse';
  /** If false, `http` does not fall back to `sse`. Default: true. */
  automaticSSEFallback?: boolean;
  /** The endpoint, http or https. A user name and password in it are sent as a header. */
  url: string;
  /** Sent with every request to the server's own origin, and to no other. */
  headers?: Record<string, string>;
  /** Stands in for the global `fetch`: a host's proxy or egress policy. Called for every hop, `redirect: 'manual'`. */
  fetch?: typeof fetch;
  /** Tokens that can be renewed, or a complete OAuth 2 client; for a token that stays, `headers` will do. */
  authProvider?: AuthProvider | OAuthProvider | ProgramProvider;
}

/** A process, ended with the session. */
export interface StdioAddress {
  transport: 'stdio';
  /** The program: a path, or a name that PATH leads to. No shell takes part, so nothing in it is expanded. */
  command: string;
  /** One entry for each argument. */
  args?: readonly string[];
  /**
   * Variables added to those inherited from this process: `HOME`, `LANG`, `LC_ALL`, `LOGNAME`, `PATH`, `SHELL`, `TERM`,
   * `TMPDIR`, `TZ` and `USER`, or their counterparts on Windows.
   */
  env?: Record<string, string>;
  /** The working folder. Default: the one of this process. */
  cwd?: string;
  /** `inherit` also writes the server's stderr to this process's own. Its last lines are in errors. Default: `pipe`. */
  stderr?: 'pipe' | 'inherit';
}

/** Bearer tokens that can be renewed. Any object of this shape does, among them the MCP SDK's own `AuthProvider`. */
export interface AuthProvider {
  /** The current token; asked before every request. */
  token(): Promise<string | undefined>;
  /** Called once when the server answers 401; the request is repeated once when this resolves. */
  onUnauthorized?(context: { response: Response; serverUrl: URL }): Promise<void>;
}

/** A complete OAuth 2 client, in the shape of the MCP SDK's `OAuthClientProvider`, which explains the rest. */
export interface OAuthProvider {
  readonly redirectUrl: string | URL | undefined;
  readonly clientMetadata: object;
  clientInformation(...context: never[]): unknown;
  /** The tokens saved last; masked in every message. */
  tokens(...context: never[]): unknown;
  saveTokens(...context: never[]): unknown;
  /** Sends the user to this address, to agree. */
  redirectToAuthorization(url: URL): unknown;
  saveCodeVerifier(verifier: string): unknown;
  codeVerifier(): unknown;
  /** Kept between the redirect and the code, so that the code goes to the server that issued it. */
  saveDiscoveryState?(state: never): unknown;
  discoveryState?(): unknown;
  /**
   * The query of the redirect that comes back once the user has agreed; its `state` must equal the one of the address
   * that the user was sent to. Connecting waits for it; if it is absent, connecting fails with AUTHORIZATION_REQUIRED
   * after the redirect.
   */
  authorizationResponse?(): Promise<URLSearchParams>;
  /**
   * Renews tokens while no other process does, if several share a store. `tokens` is called again before `renew` sends
   * anything.
   */
  lock?(renew: () => Promise<void>): Promise<void>;
  /** The scope to ask for if the server's challenge names none; otherwise all that its metadata lists. */
  wantedScope?(): string | undefined;
}

/** A complete OAuth 2 client that is made when the first session opens, such as {@link clientCredentials}. */
export interface ProgramProvider {
  open(): Promise<OAuthProvider>;
}

type HttpKeys = readonly (keyof HttpAddress)[];
const http: HttpKeys = ['transport', 'url', 'headers', 'authProvider', 'fetch', 'automaticSSEFallback'];
const stdio: readonly (keyof StdioAddress)[] = ['transport', 'command', 'args', 'env', 'cwd', 'stderr'];

/** The members of an address, by its kind. */
export const addressKeys: Readonly<Record<'http' | 'stdio', readonly string[]>> = { http, stdio };

/** @throws ConfigurationError naming the field that is missing, wrong or unknown, but never its value */
export function checkAddress(address: ServerAddress): void {
  if (address.transport === 'stdio') checkStdio(address);
  else checkHttp(address);
  const known = addressKeys[address.transport === 'stdio' ? 'stdio' : 'http'];
  const stray = Object.entries(address).find(([key, value]) => value !== undefined && !known.includes(key))?.[0];
  if (stray !== undefined)
    throw invalid(`An address has no ${quote(stray)}.${didYouMean(stray, known)}`, `It has ${known.join(', ')}.`);
}

function checkStdio({ command, args = [], env = {}, cwd = '', stderr = 'pipe' }: StdioAddress): void {
  const hint = 'Give the program in "command", its arguments in "args".';
  if (typeof command !== 'string' || command.trim() === '')
    throw invalid('A stdio server needs a command to start.', hint);
  if (!texts.accepts(args))
    throw invalid('The arguments of a stdio server must be a list of strings.', 'No shell splits them.');
  if (typeof cwd !== 'string') throw invalid('The working folder of a stdio server must be a text.', 'Give its path.');
  if (!['pipe', 'inherit'].includes(stderr))
    throw invalid('The stderr of a stdio server is "pipe" or "inherit".', 'Leave it out: it is kept for errors.');
  if (!isObject(env) || !texts.accepts(Object.values(env)))
    throw invalid('The environment variables of a stdio server must be strings.', 'Write numbers as text.');
  if ([command, ...args, ...Object.entries(env).flat()].some((text) => text.includes('\0')))
    throw invalid('The command, an argument or a variable contains a null character.', 'Remove it.');
}

function checkHttp({ url, headers = {}, automaticSSEFallback = true, ...rest }: HttpAddress): void {
  if (typeof url !== 'string') {
    throw 'command' in rest
      ? invalid('A server that is started with a command needs its transport.', 'Add "transport": "stdio".')
      : invalid('The server URL is not a text.', 'Give "url" as a text: of a URL, its href.');
  }
  const whole = 'Give the whole endpoint, such as https://example.com/mcp.';
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalid('The server URL is not a valid http or https address.', whole);
  if (typeof automaticSSEFallback !== 'boolean')
    throw invalid('"automaticSSEFallback" has to be true or false.', 'Leave it out to try SSE, too.');
  if (!isObject(headers))
    throw invalid('The headers of a server must be an object of texts.', 'Give each header by its name.');
  for (const [name, value] of Object.entries(headers)) {
    const header = `The header ${JSON.stringify(name)}`;
    if (typeof value !== 'string') throw invalid(`${header} must be a text.`, 'Write numbers and booleans as text.');
    // `fetch` would leave it out without a word.
    if (name.toLowerCase() === '__proto__') throw invalid(`${header} gets lost on its way into HTTP.`, 'Leave it out.');
    try {
      new Headers([[name, value]]);
    } catch {
      const hint = 'Remove line breaks, as of a pasted token, and characters beyond Latin-1.';
      throw invalid(`${header} has a name or value that HTTP does not allow.`, hint);
    }
  }
}

function invalid(message: string, remedy: string): ConfigurationError {
  return new ConfigurationError(`${message} ${remedy}`);
}

/** The server in a message: the command without its arguments, or the URL without user, password, query and fragment. */
export function describeAddress(address: ServerAddress): string {
  if (address.transport === 'stdio') return `"${address.command}"`;
  const url = new URL(address.url);
  return `${url.origin}${url.pathname}`;
}
