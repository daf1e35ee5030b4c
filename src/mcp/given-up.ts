/**
 * The caller's signal or the time limit has ended an attempt to connect; which of them, the one who catches this can
 * tell by the signal.
 */
export class ConnectGivenUp extends Error {
  override readonly name = 'ConnectGivenUp';
}
