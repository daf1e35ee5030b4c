/** Whether the SDK gave up because the server wants other credentials: after the user was sent to a browser, for one. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && error.name === 'UnauthorizedError';
}

/**
 * Whether something went wrong while tokens were fetched, renewed or asked for. The SDK marks whatever is thrown
 * there, by whomever, with a registered symbol.
 */
export function isAuthorizationProblem(error: unknown): error is Error {
  return error instanceof Error && (error as { [authSeam]?: unknown })[authSeam] === true;
}

const authSeam = Symbol.for('mcp.authSeamEscape');
