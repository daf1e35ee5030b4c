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
import { plainText, withPlainPlace } from './text.js';

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

/** The original error is not attached: n8n would show its stack trace. */
export function nodeError(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  if (error instanceof NodeOperationError) return error;
  const { message, ...description } = readable(error);
  return operationError(node, message, { ...place, ...description });
}

/** nodeError() for n8n's editor, which shows descriptions, and some messages, as HTML. */
export function errorForEditor(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  const result = nodeError(node, error, place);
  result.message = plainText(result.message);
  if (result.description) result.description = plainText(result.description).replaceAll('\n', '<br>');
  return result;
}

/**
 * nodeError() for a model, which reads the message. n8n streams the description to the visitor of a chat, so it has no
 * text of a server and no advice. The operator finds the advice under "Error details".
 */
export function errorForModel(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  const message = messageForModel(error) ?? joined(error);
  const result = operationError(node, message, { ...place, description: 'A tool could not be used.' });
  result.messages.push(joined(error));
  return result;
}

/** nodeError() for a picker, in which n8n shows only the message, on few lines. */
export function errorForPicker(node: INode, error: unknown): NodeOperationError {
  return operationError(node, plainText(shortened(joined(error, { isRun: false }), 401)));
}

export function joined(error: unknown, where?: Parameters<typeof readable>[1]): string {
  const { message, description } = readable(error, where);
  return [message, description].filter(Boolean).join('\n');
}

/** Sets the message again, because n8n replaces messages that contain a code such as ENOENT by a general phrase. */
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

/** @param isRun false if the editor asks: no call was made, and options of a run do not help; default true */
export function readable(error: unknown, { isRun = true } = {}): Readable {
  if (error instanceof InvalidArgumentsError) return refusal(error);
  if (error instanceof SetupError) return described(error.message, [error.advice]);
  if (error instanceof NodeOperationError) return described(error.message, [error.description]);
  if (!isRequestFailure(error)) return { message: messageOf(error) };
  const title = error.title.replaceAll(/\b(\d+) ms\b/g, (_, ms) => counted(Number(ms) / 1000, 'second'));
  const hint = isRun && error instanceof TimeoutError ? timeAdvice(error) : error.hint;
  const details = error.details?.replaceAll(/\n[ \t]+at [^\n]*/g, ''); // without a stack trace
  return described(title, [details, addedBy(error), hint, isRun && error.outcomeUnknown ? unknownOutcome : undefined]);
}

function timeAdvice({ title = '' }: TimeoutError): string {
  const option = title.includes(' in all') ? 'Maximum Duration' : 'Idle Timeout';
  return `If the server is known to take long, raise Time Limits: ${option} in the options of the node. Otherwise check that it is up and not stuck.`;
}

function described(message: string, parts: (string | null | undefined)[]): Readable {
  const description = parts.filter(Boolean).join('\n').trim();
  return { message, ...(description !== '' && { description }) };
}

/** A refusal for the person who runs the node. The library's own text is written for a model. */
function refusal({ tool, outcome, reasons }: InvalidArgumentsError): Readable {
  const isInvalid = outcome === 'invalid';
  const advice = isInvalid
    ? 'Correct the arguments and run the node again.'
    : 'To let the server decide, set the option "Uncheckable Arguments".';
  return described(
    `The arguments ${isInvalid ? 'do not fit' : 'could not be validated against'} the input schema of "${tool}"`,
    [...reasons.map((reason) => `• ${withPlainPlace(reason)}`), `The tool was not called. ${advice}`],
  );
}

function addedBy(error: McpError): string | undefined {
  if (!(error instanceof ServerError) || error.data === undefined || error.data === null) return undefined;
  return `Details from the server: ${hideSecretsIn(typeof error.data === 'string' ? error.data : jsonText(error.data))}`;
}
