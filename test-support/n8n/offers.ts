import type { ModelRequest } from '../model/model.js';
import { childrenOf, sourceAt } from './source.js';

/** A tool in the model's request. */
export interface Offer {
  readonly name: string;
  /** The text of `parameters` in the raw request. */
  readonly schema: string;
}

/** The tools of a chat request, in order, cut from the raw body. */
export function offersIn(request: ModelRequest | undefined): Offer[] {
  return childrenOf(sourceAt(request?.body ?? '{}', 'tools') ?? '[]').map(({ source }) => ({
    name: JSON.parse(sourceAt(source, 'function', 'name') ?? '""') as string, // the chat API's tools all have names
    schema: sourceAt(source, 'function', 'parameters') ?? '',
  }));
}
