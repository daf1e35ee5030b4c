import { type INode, NodeOperationError } from 'n8n-workflow';
import { plainText } from './plainText.js';

export interface ErrorPlace {
  itemIndex?: number;
}

/**
 * Any error as one that n8n shows well: a short message that says what was wrong, a description that says what to do.
 * The library's errors already read like that and carry no secrets; the original error is not attached, so that no
 * stack trace of it is shown.
 */
export function nodeError(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  if (error instanceof NodeOperationError) return error;
  const { message, description } = readable(error);
  const result = new NodeOperationError(node, message, { ...place, ...(description ? { description } : {}) });
  // n8n replaces messages in which it recognises a code such as ENOENT by a general phrase. Ours are the better ones.
  result.message = message;
  return result;
}

/** The same for n8n's editor, which shows descriptions as HTML. */
export function errorForEditor(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  const result = nodeError(node, error, place);
  if (result.description) result.description = plainText(result.description);
  return result;
}

/** Of an error in a tool, n8n tells the model nothing but the message; so all of it goes there. */
export function errorForModel(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  const { message, description } = nodeError(node, error, place);
  const whole = [message, description].filter(Boolean).join('\n');
  const result = new NodeOperationError(node, whole, place);
  result.message = whole;
  return result;
}

export function readable(error: unknown): { message: string; description?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const [line = '', ...more] = error.message.split('\n');
  const message = isInvalidArguments(error) ? `The arguments do not fit the input schema of "${error.tool}"` : line;
  const description = [...more, ...details(error)].join('\n').trim();
  return description === '' ? { message } : { message, description };
}

/** Told by its code, not by its class: the library need not be loaded to ask. */
export function isInvalidArguments(error: unknown): error is Error & { code: 'INVALID_ARGUMENTS'; tool: string } {
  return error instanceof Error && 'code' in error && error.code === 'INVALID_ARGUMENTS' && 'tool' in error;
}

/** What the library's errors know besides their message. */
function details(error: Error): string[] {
  const { hint, stderr, data } = error as Error & { hint?: unknown; stderr?: unknown; data?: unknown };
  return [
    ...(typeof hint === 'string' ? [hint] : []),
    ...(typeof stderr === 'string' && stderr !== '' ? [`The server's last words: ${stderr}`] : []),
    ...(data === undefined || data === null ? [] : [`The server adds: ${typeof data === 'string' ? data : JSON.stringify(data)}`]),
  ];
}
