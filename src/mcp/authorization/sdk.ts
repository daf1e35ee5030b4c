/* The MCP SDK's OAuth client, to be imported dynamically. Names are listed so that bundles leave out the rest of the SDK. */
export {
  auth,
  ClientCredentialsProvider,
  computeScopeUnion,
  createPrivateKeyJwtAuth,
  CrossAppAccessProvider,
  DpopSession,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
  validateAuthorizationResponseIssuer,
  withDpopFromProvider,
} from '@modelcontextprotocol/client';
