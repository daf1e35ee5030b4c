import { HttpFailure, type Redirect } from '../errors/failures.js';
import { beginningOf, type HttpResponse } from '../http-client/http-client.js';
import { redirectTarget, staysWithin } from '../http-client/redirects.js';

/**
 * The error for a response whose status means failure.
 *
 * @param longest how much is read of its body, where that may be the answer all the same
 */
export async function failureOf(response: HttpResponse, longest?: number): Promise<HttpFailure> {
  const { status, url } = response;
  const target = redirectTarget(response);
  const body = await beginningOf(response, longest);
  return new HttpFailure(status, body, target && describeRedirect(url, target, status));
}

function describeRedirect(from: URL, target: URL, status: number): Redirect {
  const checkServer = 'Check the URL, and how the server, or what is in front of it, redirects.';
  // Of these all others have been followed.
  if (status !== 303 && staysWithin(from, target))
    return { said: 'It redirects in a circle, or too often', hint: checkServer };
  const shown = new URL(target);
  shown.username = shown.password = shown.search = '';
  const hint =
    'Use the address it redirects to, if that is the intended server; credentials are never sent to another origin.';
  if (target.protocol !== 'http:' || from.protocol !== 'https:')
    return { said: `Redirect to ${shown.href} not followed`, hint };
  shown.protocol = 'https:';
  if (shown.pathname === from.pathname && shown.origin === from.origin)
    return { said: 'It redirects from https to plain http', hint: checkServer };
  return { said: `Redirect from https to plain http not followed; try ${shown.href} as the endpoint`, hint };
}
