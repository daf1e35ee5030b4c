import { bytesOf, isObject, parseJson, valueAt } from '../../json/index.js';
import { HttpFailure, type Redirect } from '../errors/failures.js';
import { mayBeOfSession } from '../errors/http-problem.js';
import { beginningOf, type HttpResponse, redirectTarget, staysWithin } from '../http-client/http-client.js';
import { holdsAnswerTo, type RequestId } from '../wire/envelope.js';
import { readEvents } from './event-stream.js';

/** @param longest bytes to read of a body that may be the answer in spite of the status */
export async function failureOf(response: HttpResponse, longest?: number): Promise<HttpFailure> {
  const { status, url } = response;
  const target = redirectTarget(response);
  const body = await beginningOf(response, longest);
  const redirect = target && describeRedirect(url, target, status);
  return new HttpFailure(status, body, redirect, retryAfterMs(response.header('retry-after')));
}

/** A number of seconds, or a date (RFC 9110, 10.2.3). */
function retryAfterMs(value = ''): number | undefined {
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(value)) return Number(value) * 1000;
  const date = /\d:\d\d/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/**
 * The texts of an error response that is the answer to its request all the same, as is usual in JSON-RPC over HTTP.
 *
 * @throws HttpFailure if it is not an answer, or may say that the session is gone
 */
export async function answersIn(
  response: HttpResponse,
  id: RequestId | undefined,
  maxBytes: number,
  sessionId?: string,
): Promise<string[]> {
  const type = mediaType(response);
  const isStream = type === 'text/event-stream';
  const mayAnswer = id !== undefined && (isStream || type === 'application/json');
  const failure = await failureOf(response, mayAnswer ? maxBytes : undefined);
  const texts = isStream ? await eventsIn(failure.body) : [failure.body];
  const answer = id === undefined ? undefined : texts.find((text) => holdsAnswerTo(id, text));
  const { status, redirect, retryAfterMs } = failure;
  if (answer === undefined || status === 401 || status === 403) throw failure;
  if (sessionId !== undefined && mayBeOfSession(failure) && isObject(valueAt(parseJson(answer), '/error')))
    throw new HttpFailure(status, answer, redirect, retryAfterMs, true);
  return texts;
}

export function mediaType(response: HttpResponse): string {
  return (response.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

async function eventsIn(stream: string): Promise<string[]> {
  const bytes = bytesOf(`${stream}\n\n`);
  const found: string[] = [];
  await readEvents([bytes], { maxBytes: bytes.length, onEvent: ({ data }) => found.push(data) });
  return found;
}

function describeRedirect(from: URL, target: URL, status: number): Redirect {
  const checkServer = 'Check the URL, and how the server, or what is in front of it, redirects.';
  if (status !== 303 && staysWithin(from, target))
    return { text: 'It redirects in a circle, or too often', hint: checkServer };
  const shown = new URL(target);
  shown.username = shown.password = shown.search = '';
  const hint =
    'Use the address it redirects to, if that is the intended server; credentials are never sent to another origin.';
  if (target.protocol !== 'http:' || from.protocol !== 'https:')
    return { text: `Redirect to ${shown.href} not followed`, hint };
  shown.protocol = 'https:';
  if (shown.pathname === from.pathname && shown.origin === from.origin)
    return { text: 'It redirects from https to plain http', hint: checkServer };
  return { text: `Redirect from https to plain http not followed; try ${shown.href} as the endpoint`, hint };
}
