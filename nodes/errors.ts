import { type INode, NodeOperationError } from 'n8n-workflow';
import {
  InvalidArgumentsError,
  isRequestFailure,
  type McpError,
  messageForModel,
  ServerError,
  TimeoutError,
  unknownOutcome,
} from '../src/internal.js';
import { counted, jsonText, messageOf, shortened } from '../src/json/index.js';
import { hideSecretsIn } from '../src/secrets/index.js';
import { plainText } from './text.js';

export class SetupError extends Error {
  override name = 'SetupError';

  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

type ErrorPlace = { itemIndex?: number };

/** The original error is not attached, so that its stack trace is not shown. */
export function nodeError(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  if (error instanceof NodeOperationError) return error;
  const { message, ...description } = readable(error);
  return operationError(node, message, { ...place, ...description });
}

/** The same for n8n's editor, which shows messages (when a whole workflow is run) and descriptions as HTML. */
export function errorForEditor(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  const result = nodeError(node, error, place);
  result.message = plainText(result.message);
  if (result.description) result.description = plainText(result.description).replaceAll('\n', '<br>');
  return result;
}

/**
 * n8n sends a model the message, and streams the description to the visitor of a chat, whom no server's text and no
 * advice on options concerns. The advice is for the operator: the editor has it under "Error details".
 */
export function errorForModel(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  const message = messageForModel(error) ?? joined(error);
  const result = operationError(node, message, { ...place, description: 'A tool could not be used.' });
  result.messages.push(joined(error));
  return result;
}

/** An error in a list of choices: n8n shows nothing but the message, on few lines. */
export function errorForPicker(node: INode, error: unknown): NodeOperationError {
  return operationError(node, plainText(shortened(joined(error, { isRun: false }), 401)));
}

export function joined(error: unknown, where?: Parameters<typeof readable>[1]): string {
  const { message, description } = readable(error, where);
  return [message, description].filter(Boolean).join('\n');
}

/** n8n replaces messages in which it recognises a code such as ENOENT by a general phrase. Ours say more. */
export function operationError(
  node: INode,
  message: string,
  more: ConstructorParameters<typeof NodeOperationError>[2] = {},
): NodeOperationError {
  const result = new NodeOperationError(node, message, more);
  result.message = message;
  return result;
}

interface Readable {
  message: string;
  description?: string;
}

/** @param isRun whether a call may have been made, whose options somebody can set; default true */
export function readable(error: unknown, { isRun = true } = {}): Readable {
  if (error instanceof InvalidArgumentsError) return refusal(error);
  if (error instanceof SetupError) return described(error.message, [error.advice]);
  if (error instanceof NodeOperationError) return described(error.message, [error.description]);
  if (!isRequestFailure(error)) return { message: messageOf(error) };
  const outcome = isRun && error.outcomeUnknown ? unknownOutcome : undefined;
  const title = error.title.replaceAll(/\b(\d+) ms\b/g, (_, ms) => counted(Number(ms) / 1000, 'second'));
  const hint = isRun && error instanceof TimeoutError ? timeAdvice(error) : error.hint;
  return described(title, [withoutFrames(error.details), addedBy(error), hint, outcome]);
}

function timeAdvice({ title = '' }: TimeoutError): string {
  const option = title.includes(' in all') ? 'Maximum Duration' : 'Idle Timeout';
  return `If the server is known to take long, raise Time Limits: ${option} in the options of the node. Otherwise check that it is up and not stuck.`;
}

function described(message: string, parts: (string | null | undefined)[]): Readable {
  const description = parts.filter(Boolean).join('\n').trim();
  return { message, ...(description !== '' && { description }) };
}

/** The library's text speaks to a model; this speaks to whoever runs the node. */
function refusal({ tool, outcome, reasons }: InvalidArgumentsError): Readable {
  const isInvalid = outcome === 'invalid';
  const advice = isInvalid
    ? 'Correct the arguments and run the node again.'
    : 'To let the server decide, set the option "Uncheckable Arguments".';
  return described(
    `The arguments ${isInvalid ? 'do not fit' : 'could not be validated against'} the input schema of "${tool}"`,
    [...reasons.map((reason) => `- ${reason}`), `The tool was not called. ${advice}`],
  );
}

function addedBy(error: McpError): string | undefined {
  if (!(error instanceof ServerError) || error.data === undefined || error.data === null) return undefined;
  return `Details from the server: ${hideSecretsIn(typeof error.data === 'string' ? error.data : jsonText(error.data))}`;
}

function withoutFrames(text: string | undefined): string | undefined {
  return text?.replaceAll(/\n[ \t]+at [^\n]*/g, '');
}
