import { type INode, NodeOperationError } from 'n8n-workflow';
import { InvalidArgumentsError, McpError, ServerError, unknownOutcome } from '../src/internal.js';
import { jsonText, sentences, shortened } from '../src/json/index.js';
import { hideSecretsIn } from '../src/secrets/index.js';
import { plainText } from './text.js';

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
  return withMessage(node, message, { ...place, ...(description ? { description } : {}) });
}

/** The same for n8n's editor, which shows descriptions as HTML. */
export function errorForEditor(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  const result = nodeError(node, error, place);
  // A message is shown as HTML as well, when the whole workflow is run.
  result.message = plainText(result.message);
  if (result.description) result.description = plainText(result.description).replaceAll('\n', '<br>');
  return result;
}

/**
 * Of an error in a tool, n8n tells the model nothing but the message; so all of it goes there, but not the advice on
 * options, which are not the model's to set.
 */
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

function joined(error: unknown): string {
  const { message, description } = readable(error);
  return [message, description].filter(Boolean).join('\n');
}

/** n8n replaces messages in which it recognises a code such as ENOENT by a general phrase. Ours are the better ones. */
function withMessage(
  node: INode,
  message: string,
  more: ErrorPlace & { description?: string } = {},
): NodeOperationError {
  const result = new NodeOperationError(node, message, more);
  result.message = message;
  return result;
}

/** @param sent whether the request may have changed something at the server; that of a credential test changes nothing */
export function readable(error: unknown, { sent = true } = {}): { message: string; description?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  if (error instanceof InvalidArgumentsError) return refusal(error);
  if (error instanceof NodeOperationError) return readableError(error.message, [error.description]);
  if (!(error instanceof McpError)) return readableError(error.message, []);
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

/** The library's text speaks to a model; this to who runs the node. */
function refusal({ tool, outcome, reasons }: InvalidArgumentsError): { message: string; description?: string } {
  const [message, advice] =
    outcome === 'invalid'
      ? [
          `The arguments do not fit the input schema of "${tool}"`,
          'The tool was not called. Correct the arguments and run the node again.',
        ]
      : [
          `The arguments could not be checked against the input schema of "${tool}"`,
          'The tool was not called. To let the server decide, set the option "Uncheckable Arguments".',
        ];
  return readableError(message, [...reasons.map((reason) => `- ${reason}`), advice]);
}

function addedBy(error: McpError): string | undefined {
  if (!(error instanceof ServerError) || error.data === undefined || error.data === null) return undefined;
  return `Details from the server: ${hideSecretsIn(typeof error.data === 'string' ? error.data : jsonText(error.data))}`;
}

/** The places in a server's code where its error came about say nothing to who uses it. */
function withoutFrames(text: string | undefined): string | undefined {
  return text?.replaceAll(/\n[ \t]+at [^\n]*/g, '');
}
