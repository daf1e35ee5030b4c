import { type INode, NodeOperationError } from 'n8n-workflow';
import { InvalidArgumentsError } from '../src/index.js';
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
  const result = new NodeOperationError(node, message, { ...place, ...(description ? { description } : {}) });
  // n8n replaces messages in which it recognises a code such as ENOENT by a general phrase. Ours are the better ones.
  result.message = message;
  return result;
}

/** The same for n8n's editor, which shows descriptions as HTML. */
export function errorForEditor(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  const result = nodeError(node, error, place);
  if (result.description) result.description = plainText(result.description).replaceAll('\n', '<br>');
  return result;
}

/** Of an error in a tool, n8n tells the model nothing but the message; so all of it goes there. */
export function errorForModel(node: INode, error: unknown, place: ErrorPlace = {}): NodeOperationError {
  const { message, description } = nodeError(node, error, place);
  const whole =
    error instanceof InvalidArgumentsError ? error.message : [message, description].filter(Boolean).join('\n');
  const result = new NodeOperationError(node, whole, place);
  result.message = whole;
  return result;
}

/** Of an error in a list to choose from, n8n shows nothing but the message, on few lines. */
export function errorForPicker(node: INode, error: unknown): NodeOperationError {
  const { message } = errorForModel(node, error);
  const result = new NodeOperationError(node, message);
  result.message = plainText(message.length > 400 ? `${message.slice(0, 400)}…` : message);
  return result;
}

export function readable(error: unknown): { message: string; description?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  if (error instanceof InvalidArgumentsError) return refusal(error);
  if (error instanceof NodeOperationError)
    return { message: error.message, ...(error.description ? { description: error.description } : {}) };
  const [first = '', ...more] = error.message.split('\n');
  // 'It ended with exit code 1. Its last words:' is title and first line of what follows.
  const [message, heading] = more.length > 0 ? (/^(.*?\.) ([^.]*:)$/.exec(first)?.slice(1) ?? [first]) : [first];
  const lines = [...(heading ? [heading] : []), ...more];
  const description = withoutFrames([...lines, ...details(error, error.message)].join('\n')).trim();
  return { message: message ?? first, ...(description === '' ? {} : { description }) };
}

/** The library's text speaks to a model; this to who runs the node. */
function refusal({ message, tool, violations }: InvalidArgumentsError): { message: string; description: string } {
  const reasons = message.split('\n').filter((line) => /^(-| )/.test(line));
  const [what, advice] =
    violations.length > 0
      ? [
          `The arguments do not fit the input schema of "${tool}"`,
          'The tool was not called. Correct the arguments and run the node again.',
        ]
      : [
          `The arguments could not be checked against the input schema of "${tool}"`,
          'The tool was not called. To let the server decide, set the option "When Arguments Cannot Be Checked".',
        ];
  return { message: what, description: [...reasons, advice].join('\n') };
}

/** What the library's errors know besides their message. */
function details(error: Error, told: string): string[] {
  const { hint, stderr, data } = error as Error & { hint?: unknown; stderr?: unknown; data?: unknown };
  return [
    ...(typeof stderr === 'string' && stderr.trim() !== '' && !told.includes(stderr.trim())
      ? [`Its last words on stderr:\n${stderr}`]
      : []),
    ...(data === undefined || data === null
      ? []
      : [`The server adds: ${typeof data === 'string' ? data : JSON.stringify(data)}`]),
    ...(typeof hint === 'string' ? [hint] : []),
  ];
}

/** The places in a server's code where its error came about say nothing to who uses it. */
function withoutFrames(text: string): string {
  return text.replaceAll(/\n[ \t]+at [^\n]*/g, '');
}
