import { NoCredential } from '../connection/server.js';
import { readable } from '../errors.js';

export function bullets(html: readonly string[]): string {
  return html.length === 0 ? '' : `<ul>${html.map((entry) => `<li>${entry}</li>`).join('')}</ul>`;
}

/** n8n's editor does not ask again when a credential is edited, so an error may be about what it was before. */
export function errorText(error: unknown): string[] {
  const { message, description = '' } = readable(error);
  const text = [paragraphs(message, 500), paragraphs(description, 1000)];
  if (error instanceof NoCredential) return text;
  return [...text, '<small>Edited the credential since? Close this panel and open it again.</small>'];
}

/** Any text as HTML, cut to a length. */
export function paragraphs(text: string, length: number): string {
  const whole = text.trim();
  const short = whole.length > length ? `${whole.slice(0, length).trimEnd()}…` : whole;
  // What cannot be wrapped would make the whole panel wider; and what is copied from here must be no expression.
  const wrappable = short.replaceAll(/\S{40}(?=\S)/gu, '$&\u200b').replaceAll(/\{(?=\{)/g, '{\u200b');
  return wrappable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(/\n+/g, '<br>');
}
