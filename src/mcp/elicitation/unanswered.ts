import { quote } from '../../json/index.js';
import { shownText } from '../../secrets/index.js';
import type { Asked } from '../errors/errors.js';
import { longestUrl } from './elicitor.js';

/** How many questions are listed one by one. */
const mostListed = 10;

/**
 * What a server asked and did not get, a line each, so that a model can tell the user. The server's words stand in
 * quotation marks; a page is named whole, because the user may want to visit it.
 */
export function unansweredLines(asked: readonly Asked[] = []): string[] {
  const unanswered = asked.filter(({ action }) => action !== 'accept');
  const more = unanswered.length - mostListed;
  return [
    ...unanswered.slice(0, mostListed).map(({ message, url, action, reason }) => {
      const page = url === undefined ? '' : ` and named the page ${quote(url, longestUrl)}`;
      const why = reason === undefined ? '' : ` ${reason}`;
      return `[The server asked ${shownText(message, 300)}${page}. The question was ${action === 'decline' ? 'declined' : 'cancelled'}.${why}]`;
    }),
    ...(more > 0 ? [`[The server asked ${more} more questions in vain.]`] : []),
  ];
}
