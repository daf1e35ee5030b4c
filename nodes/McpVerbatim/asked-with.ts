import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { isObject } from '../../src/json/index.js';
import { credentialOf } from '../connection/parameters.js';
import { paragraphs } from '../editor/notice-text.js';
import { chosenInPanel } from './parameters.js';

/**
 * Which server a notice speaks of, as its last line, where it may be another one than is chosen by now. n8n's editor asks
 * for a notice again when a parameter changes, and a credential is none: a choice from a list changes with it, a name that
 * was typed does not.
 *
 * @param parameter the picker whose choice the notice describes
 */
export function askedWith(context: ILoadOptionsFunctions, parameter: string): string {
  const { credentials, parameters } = context.getNode();
  const picked: unknown = parameters[parameter];
  if (isObject(picked) && picked['mode'] === 'list') return '';
  const transport = context.getNodeParameter('transport', 'http') as string; // one of its options
  const name = credentials?.[credentialOf[transport] ?? '']?.name;
  if (!name || chosenInPanel(context, parameter) === '') return '';
  const source = `Source: the server of "${name}". If you have chosen another credential since, close this panel and open it again.`;
  return `<small>${paragraphs(source, 300)}</small>`;
}
