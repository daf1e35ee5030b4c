/**
 * The MCP SDK's OAuth client. Import this file dynamically: it is loaded when somebody is to be authorized, and for
 * nothing else. The names are listed so that a bundle leaves out the rest of the SDK.
 */
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
