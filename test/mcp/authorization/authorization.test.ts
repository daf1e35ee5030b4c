import '@modelcontextprotocol/client'; // loading takes a while, which must not count as a test's time
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Unauthorized } from '../../../src/mcp/errors/failures.js';
import { openEndpoint } from '../../../src/mcp/http/endpoint.js';
import { clientCredentials, enterpriseManaged, jwtBearer } from '../../../src/mcp/index.js';
import type { AuthProvider, OAuthProvider, ProgramProvider, TokenRequest } from '../../../src/mcp/index.js';
import { secretMask } from '../../../src/secrets/index.js';

/** `null`: nothing is wrong. */
const { answers, named } = JSON.parse(readFileSync(new URL('./strangers.json', import.meta.url), 'utf8')) as {
  answers: [answer: string, problem: string, metadata: object][];
  named: [place: string, problem: string | null, at: string][];
};

const issuer = 'https://auth.test';
const url = 'https://mcp.test/mcp';
const metadataUrl = 'https://mcp.test/metadata';

interface Sent {
  url: string;
  headers: Headers;
  form: Record<string, string>;
}

interface World {
  /** The challenge with a rejected token; by default it names the metadata's address. */
  challenge?: string;
  /** The authorization server that the MCP server's metadata name. */
  named?: string;
  /** More members of the token endpoint's response. */
  granted?: object;
  /** Replaces members of the authorization server's own metadata; `null`: it has none. */
  metadata?: object | null;
  /** The MCP server's URL. */
  at?: string;
}

/** An MCP server and the authorization server that it names, behind one `fetch`. */
function world(options: World = {}) {
  const sent: Sent[] = [];
  const good = new Set<string>();
  let given = 0;
  let { challenge = `Bearer resource_metadata="${metadataUrl}"` } = options;
  const { named = issuer, granted, metadata, at = url } = options;
  let missing: string | undefined;

  const answers: Record<string, (sent: Sent) => Response> = {
    [metadataUrl]: () => Response.json({ resource: at, authorization_servers: [named] }),
    [`${issuer}/.well-known/oauth-authorization-server`]: () =>
      metadata === null
        ? new Response(null, { status: 404 })
        : Response.json({ ...metadataOf(issuer), issuer: named, ...metadata }),
    [`${issuer}/register`]: () =>
      Response.json({ client_id: 'registered', client_secret: 'registered-secret', redirect_uris: [] }),
    [`${issuer}/token`]: () => {
      const token = `token-${++given}`;
      good.add(token);
      return Response.json({ access_token: token, token_type: 'Bearer', ...granted });
    },
    [at]: ({ headers }) => {
      const token = /^Bearer (.*)$/.exec(headers.get('authorization') ?? '')?.[1] ?? '';
      if (!good.has(token)) return refused(401, 'Who are you?', challenge);
      return missing === undefined ? new Response('done') : refused(403, 'Not enough.', missing);
    },
  };
  const fetch = (input: unknown, init: RequestInit = {}) => {
    const form = Object.fromEntries(new URLSearchParams(typeof init.body === 'string' ? init.body : ''));
    const target = input instanceof Request ? input.url : String(input);
    const request = { url: target, headers: new Headers(init.headers), form };
    sent.push(request);
    return Promise.resolve(answers[request.url]?.(request) ?? new Response(null, { status: 404 }));
  };
  const mask = secretMask();
  const to = (where: string) => sent.filter((request) => request.url === where);
  return {
    ...{ mask, sent, answers, good, to },
    async asking(authProvider: AuthProvider | OAuthProvider | ProgramProvider) {
      const endpoint = await openEndpoint({ url: at, fetch, authProvider }, mask);
      const ask = () => endpoint.request({ method: 'POST', headers: {}, signal: new AbortController().signal });
      return Object.assign(async () => (await ask()).status, { endpoint });
    },
    tokenForms: () => to(`${issuer}/token`).map(({ form }) => form),
    shown: () => to(url).map(({ headers }) => headers.get('authorization')),
    revoke: () => good.clear(),
    challenge: (next: string) => (challenge = next),
    misses: (scope: string | undefined) => (missing = scope),
  };
}

const metadataOf = (server: string) => ({
  issuer: server,
  authorization_endpoint: `${server}/authorize`,
  token_endpoint: `${server}/token`,
  registration_endpoint: `${server}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt', 'none'],
});

/** A refusal, whose body ends, but is not read to its end by itself. */
const refused = (status: number, text: string, challenge: string) => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
    cancel() {
      cancelled++;
    },
  });
  return new Response(body, { status, headers: challenge === '' ? {} : { 'www-authenticate': challenge } });
};
let cancelled = 0;
beforeEach(() => void (cancelled = 0));

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('expected an error'),
    (error: unknown) => error as Unauthorized,
  );
const robot = (more: object = {}) =>
  clientCredentials({ clientId: 'robot', secret: 'robot-secret-value', issuer, ...more });

const basic = `Basic ${Buffer.from('robot:robot-secret-value').toString('base64')}`;

describe('tokens of another source', () => {
  test('Tokens of another source are sent if there are any, and masked', async () => {
    const { asking, good, shown, mask } = world();
    good.add('some-token');
    let token: string | undefined = 'some-token';
    // A method of this name may be for another purpose.
    const ask = await asking({ token: async () => token, open: () => expect.fail('opened') });
    expect(await ask()).toBe(200);
    expect(mask('it has some-token')).toBe('it has [hidden]');
    token = undefined;
    // Nobody can renew it, so the refusal is the end.
    expect(await ask()).toBe(401);
    expect(shown()).toEqual(['Bearer some-token', null]);
  });

  test.each(['Bearer realm="x"', ''])(
    'Tokens of another source are renewed by onUnauthorized, which gets the response and its challenge (%s)',
    async (challenge) => {
      const { asking, good } = world({ challenge });
      let token: string | undefined;
      const onUnauthorized = vi.fn(async ({ response, ...about }: { response: Response }) => {
        expect([response.status, await response.text()]).toEqual([401, 'Who are you?']);
        expect(response.headers.get('www-authenticate')).toBe(challenge || null);
        expect(about).toMatchObject({ serverUrl: new URL(url), fetchFn: expect.any(Function) });
        good.add((token = 'fresh-token'));
      });
      const ask = await asking({ token: async () => token, onUnauthorized });
      expect(await ask()).toBe(200);
      expect(onUnauthorized).toHaveBeenCalledOnce();
    },
  );

  test('Tokens that were renewed meanwhile are used without another renewal', async () => {
    const { asking, good, shown } = world();
    good.add('new-token');
    const onUnauthorized = vi.fn(async () => {});
    const token = vi.fn(async () => 'new-token').mockImplementationOnce(async () => 'old-token');
    const ask = await asking({ token, onUnauthorized });
    expect(await ask()).toBe(200);
    expect(shown()).toEqual(['Bearer old-token', 'Bearer new-token']);
    expect(onUnauthorized).not.toHaveBeenCalled();
  });

  test('Tokens that are rejected at the same time share one renewal, and later ones have their own', async () => {
    const { asking, good, revoke } = world();
    let token = 'token-0';
    const onUnauthorized = vi.fn(async () => {
      await new Promise(setImmediate);
      good.add((token = `token-${onUnauthorized.mock.calls.length}`));
    });
    const ask = await asking({ token: async () => token, onUnauthorized });
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([200, 200, 200]);
    expect(onUnauthorized).toHaveBeenCalledTimes(1);
    revoke();
    expect(await ask()).toBe(200);
    expect(onUnauthorized).toHaveBeenCalledTimes(2);
  });

  test('The error says why a token could not be obtained', async () => {
    const { asking, sent } = world();
    const ask = await asking({ token: () => Promise.reject(new Error('The vault is away.')) });
    expect(await failure(ask())).toMatchObject({ name: 'Unauthorized', problem: 'The vault is away.' });
    expect(sent).toEqual([]);
  });

  test('Tokens of another source are not renewed for more scope', async () => {
    const { asking, good, misses, shown } = world();
    good.add('some-token');
    misses('Bearer error="insufficient_scope", scope="write"');
    const ask = await asking({ token: async () => 'some-token', onUnauthorized: async () => {} });
    expect(await ask()).toBe(403);
    expect(shown()).toHaveLength(1);
  });
});

describe('An OAuth client', () => {
  test('An OAuth client sends its first request without a token, and gets one after a 401', async () => {
    const { asking, shown, tokenForms, to } = world();
    const ask = await asking(robot());
    expect(await ask()).toBe(200);
    expect(await ask()).toBe(200);
    expect(shown()).toEqual([null, 'Bearer token-1', 'Bearer token-1']);
    expect(cancelled).toBe(1);
    expect(tokenForms()).toEqual([{ grant_type: 'client_credentials', resource: url }]);
    expect(to(metadataUrl)).toHaveLength(1);
    expect(to(`${issuer}/token`)[0]!.headers.get('authorization')).toBe(basic);
  });

  test('An OAuth client remembers the address of the metadata, and asks for all scopes that were named', async () => {
    const { asking, challenge, revoke, tokenForms, to } = world({
      challenge: `Bearer resource_metadata="${metadataUrl}", scope="read"`,
    });
    const ask = await asking(robot());
    expect(await ask()).toBe(200);
    revoke();
    challenge('Bearer scope="write"');
    expect(await ask()).toBe(200);
    revoke();
    challenge('Bearer');
    expect(await ask()).toBe(200);
    expect(tokenForms().map(({ scope }) => scope)).toEqual(['read', 'read write', 'read write']);
    expect(to(metadataUrl)).toHaveLength(3);
  });

  test('An OAuth client does not renew a token that was renewed during the request', async () => {
    const { asking, tokenForms, good, answers } = world();
    const provider = robot();
    const ask = await asking(provider);
    const tokens = await provider.open();
    good.add('theirs');
    const answer = answers[url]!;
    answers[url] = (request) => {
      if (!request.headers.has('authorization')) void tokens.saveTokens({ access_token: 'theirs' } as never);
      return answer(request);
    };
    expect(await ask()).toBe(200);
    expect(tokenForms()).toEqual([]);
  });

  test.each<[string, World, object, string[]]>([
    ['what its token says that it has', { granted: { scope: 'read' } }, { scope: 'all' }, ['all', 'read write']],
    ['what it asked for, if the token does not say', {}, { scope: 'all' }, ['all', 'all write']],
    ['nothing, if neither says', {}, {}, ['', 'write']],
    [
      'the one that was wanted first, and what its token says that it has',
      { challenge: `Bearer resource_metadata="${metadataUrl}", scope="first"`, granted: { scope: 'read' } },
      { scope: 'all' },
      ['first', 'first read write'],
    ],
  ])('An OAuth client that needs more scope asks for it beside %s', async (_, server, more, scopes) => {
    const { asking, misses, tokenForms, answers } = world(server);
    const ask = await asking(robot(more));
    await ask();
    misses(`Bearer error="insufficient_scope", scope="write", resource_metadata="${metadataUrl}"`);
    const token = answers[`${issuer}/token`]!;
    answers[`${issuer}/token`] = (request) => (misses(undefined), token(request));
    expect(await ask()).toBe(200);
    expect(tokenForms().map(({ scope = '' }) => scope)).toEqual(scopes);
  });

  test('An OAuth client that lacks two scopes at once asks for one after the other', async () => {
    const { asking, answers, tokenForms } = world();
    const ask = await asking(robot());
    await ask();
    const missing = ['write', 'admin'];
    const answer = answers[url]!;
    answers[url] = (request) => {
      const scope = missing.shift();
      if (scope === undefined) return answer(request);
      return refused(403, 'Not enough.', `Bearer error="insufficient_scope", scope="${scope}"`);
    };
    expect(await Promise.all([ask(), ask()])).toEqual([200, 200]);
    expect(tokenForms().map(({ scope = '' }) => scope)).toEqual(['', 'write', 'write admin']);
  });

  test('An OAuth client does not ask for a token after a 403 for another reason', async () => {
    const { asking, misses, tokenForms, shown } = world();
    const ask = await asking(robot());
    await ask();
    misses('Bearer error="access_denied"');
    expect(await ask()).toBe(403);
    expect(tokenForms()).toHaveLength(1);
    expect(shown()).toHaveLength(3);
  });

  test('An OAuth client masks its tokens and its secret', async () => {
    const { asking, mask } = world({ granted: { refresh_token: 'renewal-1' } });
    const ask = await asking(robot());
    await ask();
    await ask();
    for (const secret of ['token-1', 'renewal-1', 'robot-secret-value'])
      expect(mask(`it has ${secret}`)).toBe('it has [hidden]');
  });
});

describe('the consent of a user', () => {
  /** An application's own provider, with private state. */
  class Browser {
    readonly #kept: Record<string, unknown> = {};
    readonly opened: URL[] = [];
    readonly redirectUrl = 'http://localhost/callback';
    readonly clientMetadata = { client_name: 'test', redirect_uris: ['http://localhost/callback'] };
    clientInformation = () => this.#kept['information'];
    saveClientInformation = (information: unknown) => void (this.#kept['information'] = information);
    saveCodeVerifier = (verifier: string) => void (this.#kept['verifier'] = verifier);
    codeVerifier = () => this.#kept['verifier'];
    saveDiscoveryState = (state: unknown) => void (this.#kept['state'] = state);
    discoveryState = () => this.#kept['state'];
    redirectToAuthorization = (page: URL) => void this.opened.push(page);
    open = () => expect.fail('it is none of a program');
    // Methods that need the provider itself as `this`.
    tokens() {
      return this.#kept['tokens'];
    }
    saveTokens(tokens: unknown) {
      this.#kept['tokens'] = tokens;
    }
  }
  class WaitingBrowser extends Browser {
    waits = 0;
    locks = 0;
    lock = (renew: () => Promise<void>) => (this.locks++, renew());
    constructor(readonly answer: string) {
      super();
    }
    authorizationResponse() {
      this.waits++;
      const state = this.opened.at(-1)?.searchParams.get('state') ?? '';
      return Promise.resolve(new URLSearchParams({ state, ...Object.fromEntries(new URLSearchParams(this.answer)) }));
    }
  }
  const begun = async (provider: Browser, options?: World) => {
    const { asking, ...rest } = world(options);
    const ask = await asking(provider);
    return { ...rest, ask, finish: ask.endpoint.finishAuthorization, refused: await failure(ask()) };
  };

  const named = `Bearer resource_metadata="${metadataUrl}", scope="named"`;
  test.each<[string, object, World, object]>([
    ['what the protocol asks for', {}, {}, {}],
    ['the same if the authorization server has no metadata', {}, { metadata: null }, {}],
    [
      'a state and a scope of its own',
      { state: () => 's-1', wantedScope: () => 'own' },
      {},
      { state: 's-1', scope: 'own' },
    ],
    ['the scope that the server names', { wantedScope: () => 'own' }, { challenge: named }, { scope: 'named' }],
  ])('A user who has to agree is sent to the page with %s, and the error says so', async (_, more, options, sent) => {
    const provider = Object.assign(new Browser(), more);
    const { refused, finish } = await begun(provider, options);
    expect(refused).toMatchObject({ name: 'Unauthorized', problem: undefined, awaitsUser: true });
    expect(cancelled).toBe(1);
    const query = {
      ...{ response_type: 'code', client_id: 'registered', redirect_uri: provider.redirectUrl, resource: url },
      ...{ code_challenge: expect.any(String) as string, code_challenge_method: 'S256', ...sent },
    };
    const pages = provider.opened.map((page) => [page.origin + page.pathname, Object.fromEntries(page.searchParams)]);
    expect(pages).toEqual([[`${issuer}/authorize`, query]]);
    expect(finish).toBeUndefined();
  });

  /** `changed`: the scope of the token that the provider has by the time of the refusal. */
  test.each<[string, { scope?: string; changed?: string }, unknown]>([
    ['lacks it', { scope: 'read' }, { status: 'page 403', sent: 1, pages: ['read write'], grants: [] }],
    ['does not say', {}, { status: 'page 403', sent: 1, pages: ['all write'], grants: [] }],
    ['says that it has it', { scope: 'write' }, { status: 403, sent: 2, pages: [], grants: ['refresh_token'] }],
    ['got it meanwhile', { scope: 'read', changed: 'read write' }, { status: 403, sent: 2, pages: [], grants: [] }],
    [
      'was renewed meanwhile',
      { scope: 'read', changed: 'read' },
      { status: 'page 403', sent: 1, pages: ['read write'], grants: [] },
    ],
  ])(
    'A user is asked for a scope that a token needs and %s only if no renewal can bring it',
    async (_, own, expected) => {
      const { asking, good, misses, answers, tokenForms } = world();
      const provider = new Browser();
      Object.assign(provider.clientMetadata, { scope: 'all' });
      provider.saveClientInformation({ client_id: 'registered' });
      const has = (token: string, scope?: string) => {
        good.add(token);
        provider.saveTokens({
          access_token: token,
          token_type: 'Bearer',
          refresh_token: 'renewal',
          ...(scope && { scope }),
        });
      };
      has('first', own.scope);
      misses(`Bearer error="insufficient_scope", scope="write", resource_metadata="${metadataUrl}"`);
      const answer = answers[url]!;
      let sent = 0;
      answers[url] = (request) => {
        sent++;
        if (own.changed !== undefined) has('second', own.changed);
        return answer(request);
      };
      const status = await (
        await asking(provider)
      )().catch((error: unknown) => (error as Unauthorized).awaitsUser && `page ${(error as Unauthorized).status}`);
      const pages = provider.opened.map(({ searchParams }) => searchParams.get('scope'));
      expect({ status, sent, pages, grants: tokenForms().map(({ grant_type }) => grant_type) }).toEqual(expected);
    },
  );

  test.each([
    ['with the name of its issuer', `code=agreed&iss=${encodeURIComponent(issuer)}`],
    ['without it', 'code=agreed'],
  ])('The code of a user who agreed is exchanged for a token: %s', async (_, answer) => {
    const provider = new WaitingBrowser(answer);
    const { finish, ask, tokenForms, mask } = await begun(provider);
    // A request that is made meanwhile waits for the same answer.
    expect(await Promise.all([finish!(), ask()])).toEqual([undefined, 200]);
    // Nobody is in the browser any more.
    await finish!();
    expect([provider.waits, provider.locks]).toEqual([1, 2]);
    expect(provider.opened[0]?.searchParams.get('state')).toMatch(/^[\da-f]{32}$/);
    expect(tokenForms()).toMatchObject([{ grant_type: 'authorization_code', code: 'agreed' }]);
    expect(mask('registered-secret and token-1')).toBe('[hidden] and [hidden]');
  });

  test.each(answers)(
    'The answer "%s" does not count as consent, and the error says %s',
    async (answer, problem, metadata) => {
      const { finish, tokenForms } = await begun(new WaitingBrowser(answer), { metadata });
      const error = { name: 'Unauthorized', problem: expect.stringContaining(problem) };
      expect(await failure(finish!())).toMatchObject(error);
      expect(tokenForms()).toEqual([]);
    },
  );

  test.each<[metadata: object, problem: string]>([
    [{ code_challenge_methods_supported: undefined }, 'PKCE'],
    [{ code_challenge_methods_supported: ['plain'] }, 'S256'],
    [{ authorization_endpoint: 'http://auth.test/authorize' }, 'send the user to http://auth.test, which is not https'],
  ])('A user is not sent to a page if the metadata of the authorization server are %j', async (metadata, problem) => {
    for (const isKept of [false, true]) {
      const provider = new Browser();
      const kept = {
        authorizationServerUrl: issuer,
        authorizationServerMetadata: { ...metadataOf(issuer), ...metadata },
      };
      if (isKept) provider.saveDiscoveryState(kept);
      const { refused } = await begun(provider, isKept ? {} : { metadata });
      expect(refused).toMatchObject({ name: 'Unauthorized', problem: expect.stringContaining(problem) });
      expect(provider.opened).toEqual([]);
    }
  });
});

test.each(named)(
  "The metadata at %s, an address of the server's choice, are fetched without credentials unless it is unsafe (%s)",
  async (place, problem, at) => {
    const { asking, answers, tokenForms, to } = world({ challenge: `Bearer resource_metadata="${place}"`, at });
    answers[place] = answers[metadataUrl]!;
    const ask = await asking(robot());
    if (problem === null) expect(await ask()).toBe(200);
    else expect((await failure(ask())).message).toContain(problem);
    expect([to(place).length, tokenForms().length]).toEqual(problem === null ? [1, 1] : [0, 0]);
    for (const { headers } of to(place)) expect(headers.has('authorization')).toBe(false);
  },
);

describe('A program', () => {
  test.each([undefined, new URL(issuer), '', 'no url'])(
    'A program without the URL of an issuer (%s) is refused',
    (wrong) => {
      const own = { clientId: 'robot', issuer: wrong as string };
      const made = {
        clientCredentials: () => robot(own),
        jwtBearer: () => jwtBearer({ ...own, assertion: String }),
        enterpriseManaged: () => enterpriseManaged({ ...own, identityProvider, idToken: String }),
      };
      for (const [name, make] of Object.entries(made))
        expect(make).toThrow(`${name} needs the URL of the issuer that the credentials are for.`);
    },
  );

  test.each<[string, string]>([
    [`${issuer}/`, issuer],
    [issuer, `${issuer}/`],
  ])('A program for %s may use %s, which is the same issuer', async (own, named) => {
    const asked: TokenRequest[] = [];
    const { asking, tokenForms, to } = world({ named });
    const assertion = (request: TokenRequest) => (asked.push(request), 'signed-by-the-platform');
    const ask = await asking(jwtBearer({ clientId: 'robot', secret: 'robot-secret-value', issuer: own, assertion }));
    expect(await ask()).toBe(200);
    expect(tokenForms()).toHaveLength(1);
    expect(to(`${issuer}/token`)[0]!.headers.get('authorization')).toBe(basic);
    // The audience of an assertion is the issuer's own spelling of its name.
    expect(asked).toEqual([{ issuer: named, resource: url }]);
  });

  const mine = 'https://mine.test';
  const identityProvider = { tokenEndpoint: 'https://login.test/token', clientId: 'app-at-work' };
  test.each<[string, (callback: () => string) => ProgramProvider]>([
    ['clientCredentials', () => robot({ issuer: mine })],
    ['jwtBearer', (assertion) => jwtBearer({ clientId: 'robot', issuer: mine, assertion })],
    ['enterpriseManaged', (idToken) => enterpriseManaged({ clientId: 'app', issuer: mine, identityProvider, idToken })],
  ])('A program with %s sends nothing to another issuer than its own', async (_, made) => {
    const callback = vi.fn(() => 'signed-or-of-the-user');
    const { asking, tokenForms } = world();
    const ask = await asking(made(callback));
    expect((await failure(ask())).problem).toMatch(/https:\/\/mine\.test.*https:\/\/auth\.test/);
    expect(tokenForms()).toEqual([]);
    expect(callback).not.toHaveBeenCalled();
  });

  type Key = NonNullable<Parameters<typeof jwtBearer>[0]['secret']>;
  const jwt = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  test.each<[string, (secret: Key) => ProgramProvider, object]>([
    ['clientCredentials', (secret) => robot({ secret, scope: 'own' }), { grant_type: 'client_credentials' }],
    [
      'jwtBearer',
      (secret) => jwtBearer({ clientId: 'robot', issuer, secret, scope: 'own', assertion: () => 'signed' }),
      { grant_type: jwt, assertion: 'signed' },
    ],
  ])('A program with a key signs its request for a token, and sends no secret: %s', async (_, made, grant) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const { asking, tokenForms, to } = world();
    const ask = await asking(made({ privateKey: pem, algorithm: 'ES256' }));
    expect(await ask()).toBe(200);
    const [{ client_assertion: signed = '', ...form } = {}] = tokenForms();
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    expect(form).toEqual({ client_assertion_type, resource: url, scope: 'own', ...grant });
    expect(partOf(signed, 0)).toMatchObject({ alg: 'ES256' });
    expect(partOf(signed, 1)).toMatchObject({ iss: 'robot', sub: 'robot' });
    expect(to(`${issuer}/token`)[0]!.headers.get('authorization')).toBeNull();
  });
});

describe("An employer's identity provider", () => {
  const employed = (answer: (form: Record<string, string>) => Response, more: object = {}, of = issuer) => {
    const forms: Record<string, string>[] = [];
    const fetch = (_: unknown, { body }: RequestInit = {}) => {
      const form = Object.fromEntries(new URLSearchParams(body as string));
      forms.push(form);
      return Promise.resolve(answer(form));
    };
    const authProvider = enterpriseManaged({
      clientId: 'app',
      secret: 'app-secret-value',
      issuer: of,
      identityProvider: { tokenEndpoint: 'https://login.test/token', clientId: 'app-at-work', ...more },
      idToken: () => 'the-id-token-of-the-user',
      fetch,
    });
    return { authProvider, forms };
  };
  const issued_token_type = 'urn:ietf:params:oauth:token-type:id-jag';
  const grant = () => Response.json({ access_token: 'the-grant', issued_token_type, token_type: 'N_A' });

  test("An employer's identity provider issues a grant for the server's scope, which is exchanged for a token", async () => {
    const { authProvider, forms } = employed(grant);
    const { asking, tokenForms } = world({ challenge: `Bearer resource_metadata="${metadataUrl}", scope="read"` });
    const ask = await asking(authProvider);
    expect(await ask()).toBe(200);
    const grantType = { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' };
    const wanted = { requested_token_type: issued_token_type, audience: issuer, resource: url, scope: 'read' };
    const type = { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token', client_id: 'app-at-work' };
    expect(forms).toEqual([{ ...grantType, ...wanted, ...type, subject_token: 'the-id-token-of-the-user' }]);
    expect(tokenForms()).toMatchObject([{ assertion: 'the-grant' }]);
  });

  test("The error of an employer's identity provider is quoted without the secrets that it repeats", async () => {
    const refusal = ({ subject_token }: Record<string, string>) => {
      const error_description = `${subject_token} of secret-at-work has expired`;
      return Response.json({ error: 'invalid_grant', error_description }, { status: 400 });
    };
    const { authProvider } = employed(refusal, { clientSecret: 'secret-at-work' });
    const { asking, tokenForms } = world();
    const ask = await asking(authProvider);
    expect((await failure(ask())).problem).toContain('[hidden] of [hidden] has expired');
    expect(tokenForms()).toEqual([]);
  });

  test("An employer's identity provider is not asked if the server does not name its resource", async () => {
    const { authProvider, forms } = employed(grant, {}, 'https://mcp.test');
    const { asking, answers } = world({ challenge: 'Bearer' });
    // A server without metadata is its own authorization server.
    answers['https://mcp.test/.well-known/oauth-authorization-server'] = () =>
      Response.json(metadataOf('https://mcp.test'));
    const ask = await asking(authProvider);
    expect((await failure(ask())).problem).toContain('RFC 9728');
    expect(forms).toEqual([]);
  });
});

/** The decoded content of one part of a JWT. */
function partOf(jwt: string, part: number): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>;
}
