import { type INode, NodeOperationError } from 'n8n-workflow';
import { InvalidArgumentsError, McpError, ServerError, unknownOutcome } from '../src/internal.js';
import { jsonText, messageOf, sentences, shortened } from '../src/json/index.js';
import { hideSecretsIn } from '../src/secrets/index.js';
import { plainText } from './text.js';

/**
 * What is wrong with a node's parameters, its credential or its n8n, and what the person who set it up can do. The
 * functions below make n8n's own error of it, with the node and the item.
 */
export class SetupError extends Error {
  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message);
    this.name = 'SetupError';
  }
}

export interface ErrorPlace {
  itemIndex?: number;
}

/**
 * Any error as one that n8n shows well: a short message that says what was wrong, a description that says what to do.
 * The original error is not attached, so that no stack trace of it is shown.
 */
export function nodeError(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  if (error instanceof NodeOperationError) return error;
  const { message, description } = readable(error);
  return withMessage(node, message, { ...place, ...(description ? { description } : {}) });
}

/** The same for n8n's editor, which shows messages (when a whole workflow is run) and descriptions as HTML. */
export function errorForEditor(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  const result = nodeError(node, error, place);
  result.message = plainText(result.message);
  if (result.description) result.description = plainText(result.description).replaceAll('\n', '<br>');
  return result;
}

/** n8n sends a model the message alone. So all of it goes there, but for advice on options, which are not the model's. */
export function errorForModel(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  const message = messageForModel(error);
  // A chat that streams shows a person nothing but the description.
  return withMessage(node, message, { ...place, description: plainText(readable(error).description ?? message) });
}

function messageForModel(error: unknown): string {
  if (error instanceof InvalidArgumentsError) return error.message;
  if (error instanceof McpError) return sentences(error.message, error.outcomeUnknown ? unknownOutcome : undefined);
  return joined(error);
}

/** Of an error in a list to choose from, n8n shows nothing but the message, on few lines. */
export function errorForPicker(node: INode, error: unknown): NodeOperationError {
  return withMessage(node, plainText(shortened(joined(error), 401)));
}

/** Message and description in one text. */
export function joined(error: unknown, options: ReadOptions = {}, separator = '\n'): string {
  const { message, description } = readable(error, options);
  return [message, description].filter(Boolean).join(separator);
}

/** n8n replaces messages in which it recognises a code such as ENOENT by a general phrase. Ours say more. */
function withMessage(
  node: INode,
  message: string,
  more: ErrorPlace & { description?: string } = {},
): NodeOperationError {
  const result = new NodeOperationError(node, message, more);
  result.message = message;
  return result;
}

interface ReadOptions {
  /** Whether the request may have changed something at the server. Default true. */
  sent?: boolean;
}

export function readable(error: unknown, { sent = true }: ReadOptions = {}): { message: string; description?: string } {
  if (error instanceof InvalidArgumentsError) return refusal(error);
  if (error instanceof SetupError) return readableError(error.message, [error.advice]);
  if (error instanceof NodeOperationError) return readableError(error.message, [error.description]);
  if (!(error instanceof McpError)) return { message: messageOf(error) };
  const outcome = sent && error.outcomeUnknown ? unknownOutcome : undefined;
  return readableError(error.title, [withoutFrames(error.details), addedBy(error), error.hint, outcome]);
}

function readableError(
  message: string,
  parts: (string | null | undefined)[],
): { message: string; description?: string } {
  const description = parts.filter(Boolean).join('\n').trim();
  return { message, ...(description === '' ? {} : { description }) };
}

/** The library's text speaks to a model; this speaks to whoever runs the node. */
function refusal({ tool, outcome, reasons }: InvalidArgumentsError): { message: string; description?: string } {
  const [message, advice] =
    outcome === 'invalid'
      ? [
          `The arguments do not fit the input schema of "${tool}"`,
          'The tool was not called. Correct the arguments and run the node again.',
        ]
      : [
          `The arguments could not be validated against the input schema of "${tool}"`,
          'The tool was not called. To let the server decide, set the option "Uncheckable Arguments".',
        ];
  return readableError(message, [...reasons.map((reason) => `- ${reason}`), advice]);
}

function addedBy(error: McpError): string | undefined {
  if (!(error instanceof ServerError) || error.data === undefined || error.data === null) return undefined;
  return `Details from the server: ${hideSecretsIn(typeof error.data === 'string' ? error.data : jsonText(error.data))}`;
}

/** Stack frames of the server's code say nothing to its user. */
function withoutFrames(text: string | undefined): string | undefined {
  return text?.replaceAll(/\n[ \t]+at [^\n]*/g, '');
}
