import type { JsonObject } from '../../json/index.js';
import { ConnectionError, LimitError, ProtocolError } from './errors.js';

export function brokenAnswer(method: string, message: JsonObject): ProtocolError {
  const title = `The server's answer to ${method} holds neither a result object nor an error:`;
  return new ProtocolError(title, { details: beginning(JSON.stringify(message)), hint: brokenHint });
}

export const brokenHint = 'This is a fault in the server, or in something in front of it.';

/** The beginning of a text, cut between words only: a later mask would not recognise a part of a secret. */
export function beginning(text: string, length = 200): string {
  return text.length > length ? `${text.slice(0, length).replace(/[^\s"'<>,]+$/, '')}…` : text;
}

export function messageTooLarge(maxBytes: number): LimitError {
  const hint = 'Ask the server for less at a time, or raise maxMessageBytes.';
  return new LimitError(`The server sent a message of more than ${maxBytes} bytes.`, hint);
}

/** Nothing has reached the server. @param title ends in a colon if details follow */
export function unreachable(title: string, hint?: string, details?: string): ConnectionError {
  return new ConnectionError(title, { code: 'CONNECTION_FAILED', hint, details });
}

/** The connection has ended, whatever was sent over it. @param title ends in a colon if details follow */
export function connectionLost(title: string, hint?: string, details?: string): ConnectionError {
  return new ConnectionError(title, { code: 'CONNECTION_LOST', hint, details });
}

export function connectionEnded(): ConnectionError {
  return connectionLost('The connection to the server has ended.', 'Connect again.');
}

export function forgottenAgain(method: string): ConnectionError {
  const hint = 'Check whether several servers stand behind this address without sharing their sessions.';
  return unreachable(`The server forgot its session again and again before ${method} was done.`, hint);
}
