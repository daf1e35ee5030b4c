/**
 * MCP Verbatim: tools of MCP servers with their schemas as the servers wrote them, checked when they are called.
 *
 * @packageDocumentation
 */

// Sessions with servers, and what they list.
export {
  answersFrom,
  CallPaused,
  clientCredentials,
  connect,
  createSessionPool,
  decline,
  dpop,
  enterpriseManaged,
  jwtBearer,
  readCatalogue,
} from './mcp/index.js';
export type {
  Asked,
  AuthProvider,
  CallOptions,
  ChangingList,
  ClientTransport,
  Catalogue,
  CatalogueTool,
  CheckedContent,
  ClientCredentials,
  CompleteOptions,
  Completion,
  CompletionReference,
  ConnectOptions,
  ContentBlock,
  Continuation,
  DpopAlgorithm,
  Elicit,
  Elicitation,
  ElicitationAnswer,
  EnterpriseManaged,
  FormElicitation,
  HttpAddress,
  JwtBearer,
  ListLimits,
  Note,
  OAuthProvider,
  ProgramCredentials,
  ProgramProvider,
  Progress,
  Prompt,
  PromptMessage,
  PromptResult,
  RawResult,
  ReadCatalogueOptions,
  ReadOptions,
  RequestOptions,
  Resource,
  ResourceContents,
  ResourceTemplate,
  SdkClient,
  SentText,
  ServerAddress,
  Session,
  SessionPool,
  SessionPoolOptions,
  SessionUse,
  SkippedTool,
  StdioAddress,
  TokenRequest,
  ToolResult,
  ToolText,
  UrlElicitation,
} from './mcp/index.js';

// What can go wrong with them.
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
} from './mcp/index.js';
export type { McpErrorCode, McpErrorOptions } from './mcp/index.js';

// One tool: for a model, checked, called, and its result as text.
export {
  callTool,
  checkArguments,
  FixedArgumentsError,
  InvalidArgumentsError,
  InvalidResultError,
  modelTools,
  resultText,
} from './tool/index.js';
export type {
  CheckedArguments,
  CheckedTool,
  FixedArguments,
  InvalidArgumentsReport,
  ModelTool,
  ModelToolsOptions,
  ReportedViolation,
  ToolOptions,
  ToolOutcome,
} from './tool/index.js';

// Tools that change: what was approved.
export { approveTools, readApprovedFile } from './approval/index.js';
export type { ApprovalDifference, ApprovedFile, ApprovedText, ApprovedTools, WhenChanged } from './approval/index.js';
export type { ToolSearchMode } from './tool-search/index.js';

// What is derived from a tool's schema for models, people and other libraries.
export {
  exampleValue,
  formArguments,
  formFields,
  FormValueError,
  signature,
  standardSchema,
} from './projections/index.js';
export type {
  FormField,
  FormFieldType,
  FormOption,
  FormOptions,
  Provider,
  StandardSchemaOptions,
  StandardToolSchema,
} from './projections/index.js';

// Repair and validation on their own.
export { describeRepair, repairArguments } from './repair/index.js';
export type {
  Repair,
  RepairArgumentsOptions,
  RepairChoice,
  RepairedArguments,
  RepairedTool,
  RepairKind,
  RepairOptions,
  RepairPreset,
} from './repair/index.js';
export type { JsonType } from './json/index.js';
export { compileSchema, evaluate } from './schema/index.js';
export type {
  Budget,
  CompiledSchema,
  CompileOptions,
  Diagnostic,
  DiagnosticCode,
  Dialect,
  UndeterminedReason,
  EvaluateOptions,
  Evaluation,
  Expectation,
  Received,
  Violation,
} from './schema/index.js';
