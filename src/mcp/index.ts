/** The protocol: connections, the verbatim catalogue, calls, sessions. */
export type { AuthProvider, HttpAddress, OAuthProvider, ServerAddress, StdioAddress } from './address.js';
export {
  readCatalogue,
  type Catalogue,
  type CatalogueTool,
  type Note,
  type ReadCatalogueOptions,
  type SetAsideTool,
} from './catalogue/catalogue.js';
export { connect } from './connect.js';
export {
  AuthorizationError,
  CancelledError,
  ConnectionError,
  IncompleteListError,
  InputRequiredError,
  LimitError,
  McpError,
  ProtocolError,
  ServerError,
  TimeoutError,
  type McpErrorCode,
  type McpErrorOptions,
} from './errors.js';
export { clientCredentials, type ClientCredentials } from './http/client-credentials.js';
export type { ContentBlock, ToolResult } from './result.js';
export { createSessionPool, type SessionPool, type SessionPoolOptions, type SessionUse } from './session-pool.js';
export type {
  CallOptions,
  CompleteOptions,
  Completion,
  CompletionReference,
  ConnectOptions,
  ListLimits,
  Progress,
  Prompt,
  PromptMessage,
  PromptResult,
  RequestOptions,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Session,
} from './session.js';
