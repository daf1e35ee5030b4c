import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { NoCredential } from '../connection/server.js';
import { readable } from '../errors.js';
import { type ForEditor, noticeAnswer } from './gate.js';

export function noticeOf(about: (context: ILoadOptionsFunctions) => Promise<readonly string[]>) {
  return async (context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> =>
    noticeAnswer(await about(context).catch(errorText));
}

/** n8n's editor does not ask again when a credential is edited: the error may be about the old values. */
function errorText(error: unknown): string[] {
  const { message, description = '' } = readable(error, { isRun: false });
  const text = [paragraphs(message, 500), paragraphs(description, 1000)];
  if (error instanceof NoCredential) return text;
  return [...text, '<small>Edited the credential since? Close this panel and open it again.</small>'];
}

export function bullets(html: readonly string[]): string {
  return html.length === 0 ? '' : `<ul>${html.map((entry) => `<li>${entry}</li>`).join('')}</ul>`;
}

export function paragraphs(text: string, length: number): string {
  const whole = text.trim();
  const short = whole.length > length ? `${whole.slice(0, length).trimEnd()}…` : whole;
  // Long words would widen the panel, and text copied from here must not be an expression.
  const wrappable = short.replaceAll(/\S{40}(?=\S)/gu, '$&\u200b').replaceAll(/\{(?=\{)/g, '{\u200b');
  return wrappable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(/\n+/g, '<br>');
}
