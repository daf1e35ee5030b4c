import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { credentialOf } from '../connection/parameters.js';
import { paragraphs } from '../editor/notice-text.js';
import { chosenInPanel } from './parameters.js';

/**
 * Which server a notice speaks of, as its last line. n8n's editor asks for a notice again when a parameter changes,
 * and a credential is none: a choice from a list changes with it, but only where it reads otherwise in the other
 * server's list.
 *
 * @param parameter the picker whose choice the notice describes
 */
export function askedWith(context: ILoadOptionsFunctions, parameter: string): string {
  const { credentials } = context.getNode();
  const transport = context.getNodeParameter('transport', 'http') as string; // one of its options
  const name = credentials?.[credentialOf[transport] ?? '']?.name;
  if (!name || chosenInPanel(context, parameter) === '') return '';
  const source = `Source: the server of "${name}". If you have chosen another credential since, close this panel and open it again.`;
  return `<small>${paragraphs(source, 300)}</small>`;
}
