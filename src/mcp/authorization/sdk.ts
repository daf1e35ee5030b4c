/**
 * What the MCP SDK knows of OAuth as MCP wants it; loaded when somebody is to be authorized, and for nothing else.
 * Named one by one, because a bundle leaves out what is not named.
 */
export async function loadSdk() {
  const {
    auth,
    computeScopeUnion,
    createPrivateKeyJwtAuth,
    DpopSession,
    extractWWWAuthenticateParams,
    isStrictScopeSuperset,
    requestJwtAuthorizationGrant,
    StreamableHTTPClientTransport,
    withDpopFromProvider,
  } = await import('@modelcontextprotocol/client');
  return {
    auth,
    computeScopeUnion,
    createPrivateKeyJwtAuth,
    DpopSession,
    extractWWWAuthenticateParams,
    isStrictScopeSuperset,
    requestJwtAuthorizationGrant,
    StreamableHTTPClientTransport,
    withDpopFromProvider,
  };
}
