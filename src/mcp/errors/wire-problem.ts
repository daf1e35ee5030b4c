import type { JsonObject } from '../../json/index.js';
import { ConnectionError, LimitError, ProtocolError } from './errors.js';

export function brokenAnswer(method: string, message: JsonObject): ProtocolError {
  return new ProtocolError(`The server's answer to ${method} holds neither a result object nor an error:`, {
    details: beginning(JSON.stringify(message)),
    hint: brokenHint,
  });
}

export const brokenHint = 'This is a fault in the server, or in something in front of it.';

/** The beginning of a text, cut between words only: a later mask would not recognise a part of a secret. */
export function beginning(text: string, length = 200): string {
  return text.length > length ? `${text.slice(0, length).replace(/[^\s"'<>,]+$/, '')}…` : text;
}

export function messageTooLarge(maxBytes: number): LimitError {
  return new LimitError(
    `The server sent a message of more than ${maxBytes} bytes.`,
    'Ask the server for less at a time, or raise maxMessageBytes.',
  );
}

export function connectionEnded(): ConnectionError {
  return new ConnectionError('The connection to the server has ended.', {
    code: 'CONNECTION_LOST',
    hint: 'Connect again.',
  });
}

export function forgottenAgain(method: string): ConnectionError {
  return new ConnectionError(`The server forgot its session again and again before ${method} was done.`, {
    code: 'CONNECTION_FAILED',
    hint: 'Check whether several servers stand behind this address without sharing their sessions.',
  });
}
