import type { RpcError } from '../wire/envelope.js';

/** Thrown below a session, and neither masked nor meant to be shown: {@link explain} makes readable errors of them. */
class Failure extends Error {
  constructor(message?: string, facts: object = {}) {
    super(message);
    Object.assign(this, facts, { name: new.target.name });
  }
}

/** A redirect that is not followed. Its text holds no secrets of the address. */
export interface Redirect {
  text: string;
  hint: string;
}

export class HttpFailure extends Failure {
  declare readonly status: number;
  declare readonly body: string;
  declare readonly redirect?: Redirect;
  /** The time until the next request that the server asks for (`Retry-After`). */
  declare readonly retryAfterMs?: number;
  /** True if the body is the response to the request in spite of the status. */
  declare readonly isAnswer: boolean;

  constructor(status: number, body: string, redirect?: Redirect, retryAfterMs?: number, isAnswer = false) {
    super(`HTTP ${status}`, { status, body, redirect, retryAfterMs, isAnswer });
  }
}

/** The server wants other credentials (HTTP 401), and nobody could renew them, or the user has to agree first. */
export class Unauthorized extends Failure {
  declare readonly problem?: string;
  declare readonly awaitsUser: boolean;
  /** The response's status; 403 if a wider scope was refused. */
  declare status: number;

  constructor(problem?: string, awaitsUser = false) {
    super(problem ?? 'HTTP 401', { problem, awaitsUser, status: 401 });
  }
}

/** The code of a refusal for its revision (2026-07-28). */
export const unsupportedRevision = -32022;

/** The server is there, but does not negotiate in this way. */
export class HandshakeRefused extends Failure {
  declare readonly answer: RpcError;

  constructor(answer: RpcError) {
    super(answer.message, { answer });
  }
}

export class NoEventStream extends Failure {}

/** A proxy has opened no tunnel, so that nothing has reached the server. */
export class NoTunnel extends Failure {
  declare readonly status?: number;
}

export class TimedOut extends Failure {
  /** True if the request may have reached the server. */
  declare readonly wasSent: boolean;

  constructor(wasSent = true) {
    super('timed out', { wasSent });
  }
}

export class Aborted extends Failure {}
