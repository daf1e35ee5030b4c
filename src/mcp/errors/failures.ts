import type { RpcError } from '../wire/envelope.js';

/**
 * What goes wrong below a session, as data: transports and connections throw these, and {@link explain} makes errors of
 * them that can be read. None of them is masked or meant to be shown.
 */
class Failure extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A redirect that is not followed: where it leads, without what may be secret in it, and what to do. */
export interface Redirect {
  said: string;
  hint: string;
}

/** An HTTP status that means failure, with the beginning of the body. */
export class HttpFailure extends Failure {
  constructor(
    readonly status: number,
    readonly body: string,
    readonly redirect?: Redirect,
  ) {
    super(`HTTP ${status}`);
  }
}

/** The server wants other credentials (HTTP 401), and whoever could renew them did not, or has to ask the user first. */
export class Unauthorized extends Failure {
  /**
   * @param problem what went wrong while tokens were fetched or renewed
   * @param awaitsUser whether the user was sent to a browser
   */
  constructor(
    readonly problem?: string,
    readonly awaitsUser = false,
  ) {
    super(problem ?? 'HTTP 401');
  }
}

/** The code of a refusal for its revision (2026-07-28). */
export const unsupportedRevision = -32022;

/** The server is there, but refuses to negotiate in this way. */
export class HandshakeRefused extends Failure {
  constructor(readonly answer: RpcError) {
    super(answer.message);
  }
}

/** The server has no event stream at this address, and so does not speak the SSE transport there. */
export class NoEventStream extends Failure {}

/** A proxy has opened no tunnel, so that nothing has reached the server. */
export class NoTunnel extends Failure {
  /** @param status what the proxy answered, where it did */
  constructor(
    message: string,
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** No answer within the time limit of the request. */
export class TimedOut extends Failure {
  /** @param wasSent whether the request may have reached the server */
  constructor(readonly wasSent = true) {
    super('timed out');
  }
}

/** The caller's signal has ended the request. */
export class Aborted extends Failure {}
