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
  Deadline,
  decline,
  dpop,
  enterpriseManaged,
  jwtBearer,
  invisibleIn,
  isSdkClient,
  readCatalogue,
  sessionOf,
  unansweredLines,
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

// One tool: called, checked, and told to models and people.
export {
  blockBytes,
  callTool,
  checkArguments,
  FixedArgumentsError,
  fixedForTool,
  InvalidArgumentsError,
  InvalidResultError,
  isReadOnly,
  modelTools,
  refuseUndeclared,
  resultText,
  schemaWithout,
  shortenedAnswer,
  shortenedAnswers,
  structuredText,
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

// Tools that change: what was approved, and what differs from it.
export {
  onlyApproved,
  digestsOnly,
  compareApproved,
  isApprovedTools,
  approvedFileText,
  approvedOf,
  approveTools,
  readApprovedFile,
  serverIdentity,
} from './approval/index.js';
export type {
  ApprovalOptions,
  ApprovedCatalogue,
  ApprovedText,
  ApprovalDifference,
  ApprovedFile,
  ApprovedTools,
  WhenChanged,
} from './approval/index.js';

// Many tools: found on demand, and what it costs to tell them.
export { manyTokens, noticeTool, startToolSearch, toolTokens } from './tool-search/index.js';
export type {
  ToolSearch,
  ToolSearchAnswer,
  ToolSearchMode,
  StartToolSearchOptions,
  NoticeTool,
} from './tool-search/index.js';

// Rules for the authors of servers.
export { findingsIn, rules } from './rules/index.js';
export type { Finding, Level, Rule, RuleId } from './rules/index.js';

// What is derived from a tool's schema: for models, for people, for other libraries.
export {
  acceptedSchema,
  exampleValue,
  formArguments,
  formFields,
  formLimits,
  FormValueError,
  modelSchema,
  providerNotes,
  providerOfModel,
  providerSafeSchema,
  signature,
  standardSchema,
  typedText,
} from './projections/index.js';
export type {
  FormField,
  FormFieldType,
  FormOption,
  FormOptions,
  NamedModel,
  Provider,
  ProviderNote,
  StandardSchemaOptions,
  StandardToolSchema,
} from './projections/index.js';

// Repair and validation on their own.
export { argumentsFromText } from './json/index.js';
export { defaultRepairs, describeRepair, repairArguments } from './repair/index.js';
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
export type { JsonType, WorkBudget } from './json/index.js';
export { compileSchema, defaultBudget, describeViolations, evaluate } from './schema/index.js';
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
