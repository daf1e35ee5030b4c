/** The protocol: connections, the verbatim catalogue, calls, sessions. */
export type {
  AuthProvider,
  HttpAddress,
  OAuthProvider,
  ProgramProvider,
  ServerAddress,
  StdioAddress,
} from './transport/address.js';
export { readCatalogue } from './catalogue/catalogue.js';
export { invisibleIn } from './catalogue/notes.js';
export { differencesIn, type ToolText } from './wire/wire-text.js';
export { definitionText } from './catalogue/tool.js';
export type { Catalogue, CatalogueTool, Note, ReadCatalogueOptions, SkippedTool } from './catalogue/tool.js';
export { connect } from './session/connect.js';
export type { ClientTransport, SentText } from './transport/own-transport.js';
export { callOptions } from './session/request-options.js';
export type { Asked } from './errors/errors.js';
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
  unknownOutcome,
  type McpErrorCode,
  type McpErrorOptions,
} from './errors/errors.js';
export { answersFrom, decline } from './elicitation/answers.js';
export { CallPaused } from './elicitation/elicitation.js';
export type {
  CheckedContent,
  Continuation,
  Elicit,
  Elicitation,
  ElicitationAnswer,
  FormElicitation,
  UrlElicitation,
} from './elicitation/elicitation.js';
export { unansweredLines } from './elicitation/unanswered.js';
export { dpop, type DpopAlgorithm } from './authorization/dpop.js';
export {
  clientCredentials,
  enterpriseManaged,
  jwtBearer,
  type ClientCredentials,
  type EnterpriseManaged,
  type JwtBearer,
  type ProgramCredentials,
  type TokenRequest,
} from './authorization/programs.js';
export type { ContentBlock, ToolResult } from './session/result.js';
export { isSdkClient, sessionOf, type SdkClient } from './session/sdk-client.js';
export {
  createSessionPool,
  type SessionPool,
  type SessionPoolOptions,
  type SessionUse,
} from './session/session-pool.js';
export type {
  CallOptions,
  ChangingList,
  CompleteOptions,
  Completion,
  CompletionReference,
  ConnectOptions,
  ListLimits,
  Progress,
  Prompt,
  PromptMessage,
  PromptResult,
  RawResult,
  ReadOptions,
  RequestOptions,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Session,
} from './session/session.js';

// For src/serve, which stands between clients and servers.
export { wireSlice } from './wire/wire-text.js';
export { answerText, oneLine, type AnswerText } from './wire/message-text.js';
export type { Origin, ServerRequest } from './connection/server-requests.js';
export { readMessages, type Message, type RequestId } from './wire/envelope.js';
export { handshakeRevisions, statelessRevision } from './connection/negotiate.js';
export { Deadline, unlessAborted } from './runtime/deadline.js';
export { pause, settlesWithin, unlimitedMs } from './runtime/timers.js';
export { nameSources, revisionKey } from './http/request-headers.js';
export { openSession, type HostSession } from './session/connect.js';
export type { HostOptions } from './session/live-connection.js';
export { lineSplitter } from './stdio/output.js';
