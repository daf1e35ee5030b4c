import type { RpcError } from '../wire/envelope.js';

/** Thrown below a session, and neither masked nor meant to be shown: {@link explain} makes readable errors of them. */
class Failure extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A redirect that is not followed. Its text holds no secrets of the address. */
export interface Redirect {
  text: string;
  hint: string;
}

export class HttpFailure extends Failure {
  constructor(
    readonly status: number,
    readonly body: string,
    readonly redirect?: Redirect,
    /** The time until the next request that the server asks for (`Retry-After`). */
    readonly retryAfterMs?: number,
    /** True if the body is the response to the request in spite of the status. */
    readonly isAnswer = false,
  ) {
    super(`HTTP ${status}`);
  }
}

/** The server wants other credentials (HTTP 401), and nobody could renew them, or the user has to agree first. */
export class Unauthorized extends Failure {
  /** The response's status; 403 if a wider scope was refused. */
  status = 401;

  constructor(
    readonly problem?: string,
    readonly awaitsUser = false,
  ) {
    super(problem ?? 'HTTP 401');
  }
}

/** The code of a refusal for its revision (2026-07-28). */
export const unsupportedRevision = -32022;

/** The server is there, but does not negotiate in this way. */
export class HandshakeRefused extends Failure {
  constructor(readonly answer: RpcError) {
    super(answer.message);
  }
}

export class NoEventStream extends Failure {}

/** A proxy has opened no tunnel, so that nothing has reached the server. */
export class NoTunnel extends Failure {
  constructor(
    message: string,
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export class TimedOut extends Failure {
  /** @param wasSent whether the request may have reached the server */
  constructor(readonly wasSent = true) {
    super('timed out');
  }
}

export class Aborted extends Failure {}
