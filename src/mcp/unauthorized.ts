/** Whether the SDK gave up because the server wants other credentials: after the user was sent to a browser, for one. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && error.name === 'UnauthorizedError';
}
