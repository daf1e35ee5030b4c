import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { NoCredential } from '../connection/server.js';
import { readable } from '../errors.js';
import { path } from '../host/agent-item.js';
import { noticeName } from './form-description.js';
import { type ForEditor, noticeAnswer } from './gate.js';

type Text = (context: ILoadOptionsFunctions) => Promise<readonly string[]>;

export function shownText(about: Text) {
  return async (context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> =>
    noticeAnswer(await about(context).catch(errorText));
}

/** Users whose open panel shows a warning. */
const warned = new Set<unknown>();

/**
 * n8n draws every notice as a warning, so this one has only warnings. Its editor ignores an empty answer, so a
 * warning that no longer holds is replaced. The editor sets the value of a notice to null before it asks again.
 */
export function noticeOf(about: Text) {
  return async (context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> => {
    const html = await about(context).catch(errorText);
    const user = path(context, 'additionalData', 'userId');
    const isWarning = html.some((part) => part !== '');
    const isOver = warned.delete(user) && path(context.getNodeParameter(noticeName, {}), 'value') === null;
    if (isWarning || isOver) warned.add(user);
    return noticeAnswer(isOver && !isWarning ? ['Nothing to warn of any more.'] : html);
  };
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
