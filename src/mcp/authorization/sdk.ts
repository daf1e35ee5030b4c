/**
 * The MCP SDK's OAuth client. Import this file dynamically: it is loaded when somebody is to be authorized, and for
 * nothing else. The names are listed so that a bundle leaves out the rest of the SDK.
 */
export {
  auth,
  computeScopeUnion,
  createPrivateKeyJwtAuth,
  DpopSession,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  requestJwtAuthorizationGrant,
  StreamableHTTPClientTransport,
  withDpopFromProvider,
} from '@modelcontextprotocol/client';
