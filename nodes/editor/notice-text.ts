import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { credentialOf } from '../connection/parameters.js';
import { readable } from '../errors.js';

export function bullets(html: readonly string[]): string {
  return html.length === 0 ? '' : `<ul>${html.map((entry) => `<li>${entry}</li>`).join('')}</ul>`;
}

export function errorText(error: unknown): string[] {
  const { message, description = '' } = readable(error);
  return [paragraphs(message, 500), paragraphs(description, 1000)];
}

/** Any text as HTML, cut to a length. */
export function paragraphs(text: string, length: number): string {
  const whole = text.trim();
  const short = whole.length > length ? `${whole.slice(0, length).trimEnd()}…` : whole;
  // What cannot be wrapped would make the whole panel wider; and what is copied from here must be no expression.
  const wrappable = short.replaceAll(/\S{40}(?=\S)/gu, '$&\u200b').replaceAll(/\{(?=\{)/g, '{\u200b');
  return wrappable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(/\n+/g, '<br>');
}

/**
 * The last line of a notice: which server it is about. n8n's editor asks for a notice again when a parameter changes, but
 * not when another credential is chosen or the credential is edited. The node cannot know of that, and a condition for
 * showing a parameter cannot name a credential. So the line is always there.
 */
export function noticeSource(context: ILoadOptionsFunctions): string[] {
  const transport = context.getNodeParameter('transport', 'http') as string; // one of its options
  const name = context.getNode().credentials?.[credentialOf[transport] ?? '']?.name;
  if (!name) return [];
  const source = `From the server of "${name}". Chosen or edited another credential since? Close this panel and open it again.`;
  return [`<small>${paragraphs(source, 300)}</small>`];
}
