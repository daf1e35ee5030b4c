import { parseJson } from '../../json/index.js';
import type { HttpFailure } from './failures.js';
import { messageIn } from './status-problem.js';

/**
 * Whether a server refused a request unread, because it does not know the session (2025-03-26 and later, Session
 * Management: HTTP 404). Servers that keep sessions in memory answer 400 after a restart, in a few words: what says
 * anything else may be about the request, which must not be sent again then.
 */
export function isOfForgottenSession({ status, body }: HttpFailure, sessionId: string | undefined): boolean {
  if (sessionId === undefined) return false;
  return status === 404 || (status === 400 && saysNoSession(body, sessionId));
}

/** 'Bad Request: No valid session ID provided', 'Session not found', 'Mcp-Session-Id header is required'. */
export function saysNoSession(body: string, sessionId: string): boolean {
  const text = (messageIn(parseJson(body)) ?? body).replaceAll(sessionId, '').toLowerCase();
  const isPlain = text.length <= 200 && onlyThese.test(text) && !text.includes('not required');
  return isPlain && refusals.test(text) && subjects.test(text);
}

const subjects = /\b(?:sessions?|sessionid|initiali[sz]ed|transport)\b/;
const refusals = /\b(?:no|not|invalid|unknown|missing|expired|required|terminated|closed)\b/;
const plainWords =
  /bad|request|error|mcp|ids?|header|found|valid|active|provided|given|specified|present|or|and|is|was|has|have|been|the|this|that|with|for|does|exists?|server|client|please|initialize|reconnect|longer|first|must|be/;
const onlyThese = new RegExp(
  `^(?:${subjects.source}|${refusals.source}|\\b(?:${plainWords.source})\\b|[\\s.,:;'"()!-])*$`,
);
