import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { AuthProvider, HttpAddress } from '../../../src/mcp/index.js';
import { Aborted } from '../../../src/mcp/errors/failures.js';
import { openEndpoint } from '../../../src/mcp/http/endpoint.js';
import { failureOf as httpFailureOf } from '../../../src/mcp/http/http-failure.js';
import { secretMask } from '../../../src/secrets/index.js';

const url = 'https://example.com/mcp';

interface Asked {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** An endpoint whose server is a function behind the caller's `fetch`, so nothing touches the network. */
async function opened(serve: (asked: Asked, count: number) => Response, address: Partial<HttpAddress> = {}) {
  const asked: Asked[] = [];
  const fetch = (to: unknown, { method, headers, body }: RequestInit = {}) => {
    const request = { url: String(to), method: method!, headers: Object.fromEntries(new Headers(headers)), body };
    asked.push(request);
    return Promise.resolve(serve(request, asked.length));
  };
  const endpoint = await openEndpoint({ url, fetch, ...address }, secretMask());
  const send = (method: 'GET' | 'POST' | 'DELETE' = 'POST', headers: Record<string, string> = {}) =>
    endpoint.request({ method, headers, signal: new AbortController().signal });
  return { send, asked, urls: () => asked.map(({ url: to }) => to), endpoint };
}

const redirect = (status: number, location: string) => new Response(null, { status, headers: { location } });
const ok = () => new Response('ok');

test('The body of a redirect that is followed is cancelled', async () => {
  const cancel = vi.fn();
  const moved = () => new Response(new ReadableStream({ cancel }), { status: 307, headers: { location: '/b' } });
  const { send } = await opened((_, count) => (count === 1 ? moved() : ok()));
  expect((await send()).status).toBe(200);
  expect(cancel).toHaveBeenCalledOnce();
});

test('A cancelled request does not follow a redirect', async () => {
  const abort = new AbortController();
  const { endpoint, urls } = await opened(() => {
    abort.abort();
    return redirect(307, '/other');
  });
  const sent = endpoint.request({ method: 'POST', headers: {}, signal: abort.signal });
  await expect(sent).rejects.toThrow(Aborted);
  expect(urls()).toEqual([url]);
});

test('A token that is not a valid header value is refused, and nothing is sent', async () => {
  const { send, asked } = await opened(ok, { authProvider: { token: () => Promise.resolve('pasted\r\n') } });
  await expect(send()).rejects.toThrow('the token has a line break, or another character that no header can carry');
  expect(asked).toEqual([]);
});

/** A POST that is answered with 303 was carried out. */
const { redirects, permanent, failed, credentials } = JSON.parse(
  readFileSync(new URL('./redirects.json', import.meta.url), 'utf8'),
) as {
  redirects: Redirect[];
  permanent: [statuses: number[], isForGood: boolean][];
  failed: [location: string, from: string, redirect: object][];
  credentials: [url: string, headers: Record<string, string>, authorization: string][];
};
type Redirect = [status: number, location: string, method: 'GET' | 'POST', followed: string | false, from?: string];

test.each(redirects)(
  'A redirect by HTTP %i to %s of a %s leads to %s',
  async (status, location, method, followed, from = url) => {
    const serve = (_: Asked, count: number) => (count === 1 ? redirect(status, location) : ok());
    const { send, asked, urls } = await opened(serve, { url: from, headers: { 'x-key': 'k' } });
    const response = await send(method);
    expect(urls()).toEqual([from, ...(followed === false ? [] : [followed])]);
    for (const { headers } of asked) expect(headers).toHaveProperty('x-key');
    expect(response.status).toBe(followed === false ? status : 200);
  },
);

test('A redirect is followed five times, and never to where the request has been', async () => {
  const onAndOn = await opened((_, count) => redirect(307, `/${count}`));
  expect((await onAndOn.send()).status).toBe(307);
  expect(onAndOn.asked).toHaveLength(6);
  const round = await opened(({ url: at }) => redirect(307, at.endsWith('/b') ? url : '/b'));
  await round.send();
  expect(round.urls()).toEqual([url, 'https://example.com/b']);
});

// Another one behind it is for good only at the place to which the first one leads.
test.each(permanent)('A redirect by HTTP %j is permanent: %s', async (statuses, isForGood) => {
  const { send, urls } = await opened((_, count) => {
    const status = statuses[count - 1];
    return status === undefined ? ok() : redirect(status, `/${count}`);
  });
  await send();
  await send();
  expect(urls()[statuses.length + 1]).toBe(isForGood ? 'https://example.com/1' : url);
});

test("The user's headers are sent with every request, and do not replace the request's own", async () => {
  const { send, asked } = await opened(ok, { headers: { 'X-Key': 'k', Accept: 'text/plain' } });
  await send('POST', { accept: 'application/json' });
  expect(asked[0]!.headers).toEqual({ 'x-key': 'k', accept: 'application/json' });
});

test.each(credentials)(
  "The user's headers get the credentials of %s, unless they already have some: %j",
  async (address, headers, expected) => {
    const { send, asked } = await opened(ok, { url: address, headers });
    await send();
    expect(asked).toMatchObject([{ url, headers: { authorization: expected } }]);
  },
);

describe('A status that means failure', () => {
  const failure = async (headers: Record<string, string>, status = 503, body: string | null = 'busy', from = url) => {
    const { send } = await opened(() => new Response(body, { status, headers }), { url: from });
    return httpFailureOf(await send());
  };

  test.each(failed)(
    'A failure that redirects to %s from %s names the target, and nothing secret',
    async (location, from, redirect) => {
      expect((await failure({ location }, 307, null, from)).redirect).toEqual(redirect);
    },
  );

  test('A failed redirect behind another one is resolved against the first target', async () => {
    const { send } = await opened(({ url: at }) => redirect(308, at === url ? 'http://example.com/x' : url), {
      url: 'http://example.com/mcp',
    });
    // The second request starts at the server's permanent new address.
    for (const response of [await send(), await send()])
      expect((await httpFailureOf(response)).redirect?.text).toContain('try https://example.com/x as the endpoint');
  });
});

describe("A provider's requests to its authorization server", () => {
  /** Makes the provider send requests with the `fetch` that it is given. */
  async function asking(
    serve: Parameters<typeof opened>[0],
    ask: (fetch: typeof globalThis.fetch) => Promise<Response>,
  ) {
    let answer: Response | undefined;
    const onUnauthorized: AuthProvider['onUnauthorized'] = async (context) => {
      // The SDK's own providers know this member; the type for others does not have it.
      const { fetchFn } = context as typeof context & { fetchFn: typeof fetch };
      answer ??= await ask(fetchFn);
    };
    const authProvider = { token: () => Promise.resolve('token'), onUnauthorized };
    const { asked, send } = await opened(
      (request, count) => (count === 1 ? new Response('', { status: 401 }) : serve(request, count - 1)),
      { headers: { 'X-Key': 'for the server alone' }, authProvider },
    );
    await send();
    return { answer: answer!, asked: asked.slice(1, -1), urls: asked.slice(1, -1).map(({ url: to }) => to) };
  }
  const there = 'https://auth.example/token';

  test("A provider's requests have the user's headers for the server's own origin, and for no other", async () => {
    for (const [to, key] of [
      ['https://example.com/.well-known/x', 'for the server alone'],
      [there, undefined],
    ] as const) {
      const { asked } = await asking(ok, (fetch) => fetch(to, { headers: { Accept: 'a/b' } }));
      expect(asked).toMatchObject([{ url: to, method: 'GET', headers: { accept: 'a/b' } }]);
      expect(asked[0]?.headers['x-key']).toBe(key);
    }
  });

  test("A provider's request may be a request object or a URL", async () => {
    const { urls } = await asking(ok, (fetch) => fetch(new Request(there)));
    expect(urls).toEqual([there]);
    expect((await asking(ok, (fetch) => fetch(new URL(there)))).urls).toEqual([there]);
  });

  test.each<[status: number, location: string, init: RequestInit, followed: boolean]>([
    [302, '/other', {}, true],
    [302, 'https://auth.example/other', {}, true],
    [302, 'https://evil.example/other', {}, false],
    [302, '/other', { redirect: 'manual' }, false],
    [307, '/other', { method: 'POST', body: 'secret' }, false],
    [200, '/other', {}, false],
  ])("A provider's request follows HTTP %i to %s of %j: %j", async (status, location, init, followed) => {
    const { urls, answer } = await asking(
      (_, count) => (count === 1 ? redirect(status, location) : ok()),
      (fetch) => fetch(there, init),
    );
    expect(urls).toEqual([there, ...(followed ? ['https://auth.example/other'] : [])]);
    expect(answer.status).toBe(followed ? 200 : status);
    expect(answer.headers.get('location')).toBe(followed ? null : location);
  });

  test("A provider's request sends forms as what they are", async () => {
    const { asked } = await asking(ok, (fetch) =>
      fetch(there, { method: 'post', body: new URLSearchParams({ a: 'b c' }) }),
    );
    expect(asked).toMatchObject([
      { method: 'POST', body: 'a=b+c', headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' } },
    ]);
  });

  test("A provider's request has its body, if there is one, with its type", async () => {
    const known = {
      ...{
        'content-type': 'application/json',
        'www-authenticate': 'Bearer',
        location: '/b',
        'cache-control': 'no-store',
      },
      ...{ 'mcp-session-id': 's', 'dpop-nonce': 'n', 'retry-after': '2' },
    };
    const headers = { ...known, 'x-other': '1' };
    const answerTo = async (response: () => Response) => (await asking(response, (fetch) => fetch(there))).answer;
    const answer = await answerTo(() => new Response('{"a":1}', { headers }));
    expect(await answer.json()).toEqual({ a: 1 });
    expect(Object.fromEntries(answer.headers)).toEqual(known);
    for (const status of [204, 205, 304])
      expect(await answerTo(() => new Response(null, { status }))).toMatchObject({ status, body: null });
  });
});
