import { readable } from '../errors.js';

export function bullets(html: readonly string[]): string {
  return html.length === 0 ? '' : `<ul>${html.map((entry) => `<li>${entry}</li>`).join('')}</ul>`;
}

/** n8n's editor does not ask again when a credential is chosen or edited, so an error may be about the former one. */
export function errorText(error: unknown): string[] {
  const { message, description = '' } = readable(error);
  const again = '<small>Changed the credential since? Close this panel and open it again.</small>';
  return [paragraphs(message, 500), paragraphs(description, 1000), again];
}

/** Any text as HTML, cut to a length. */
export function paragraphs(text: string, length: number): string {
  const whole = text.trim();
  const short = whole.length > length ? `${whole.slice(0, length).trimEnd()}…` : whole;
  // What cannot be wrapped would make the whole panel wider; and what is copied from here must be no expression.
  const wrappable = short.replaceAll(/\S{40}(?=\S)/gu, '$&\u200b').replaceAll(/\{(?=\{)/g, '{\u200b');
  return wrappable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(/\n+/g, '<br>');
}
