import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { isObject } from '../../src/json/index.js';
import { credentialOf } from '../connection/parameters.js';
import { paragraphs } from '../notice-text.js';
import { chosenInPanel } from './parameters.js';

/**
 * Which server a notice speaks of, as its last line. n8n's editor asks for a notice again when a parameter changes,
 * and a credential is none: only a choice from a list changes with it, where the servers' lists differ.
 *
 * @param parameter the picker whose choice the notice describes
 */
export function askedWith(context: ILoadOptionsFunctions, parameter: string): string {
  const { credentials, parameters } = context.getNode();
  const transport = context.getNodeParameter('transport', 'http') as string; // one of its options
  const name = credentials?.[credentialOf[transport] ?? '']?.name;
  if (!name || chosenInPanel(context, parameter) === '') return '';
  const choice: unknown = parameters[parameter];
  const isFromList = isObject(choice) && choice.mode === 'list';
  const again = isFromList ? '' : ' If you choose another credential, close this panel and open it again.';
  return `<small>${paragraphs(`Source: the server of "${name}".${again}`, 300)}</small>`;
}
