/** The command line or the configuration is wrong; the message says what and what to write instead. */
export class UsageError extends Error {
  readonly code = 'USAGE';

  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
