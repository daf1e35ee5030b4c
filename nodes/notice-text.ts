import type { ResourceMapperFields } from 'n8n-workflow';
import { readable } from './errors.js';

/** @param html what {@link paragraphs} and {@link bullets} make of text, and markup of our own */
export function noticeText(html: readonly string[]): ResourceMapperFields {
  const joined = html.filter((part) => part !== '').join('<br>');
  return { fields: [], emptyFieldsNotice: joined.replaceAll('</ul><br>', '</ul>').replaceAll('<br><ul>', '<ul>') };
}

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
  // What cannot be wrapped would make the whole panel wider.
  const wrappable = short.replaceAll(/\S{40}(?=\S)/gu, '$&\u200b');
  return wrappable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(/\n+/g, '<br>');
}
