/**
 * MCP Verbatim: tools of MCP servers with their schemas as the servers wrote them, checked when they are called.
 *
 * @packageDocumentation
 */

// Sessions with servers, and what they list.
export { connect, readCatalogue } from './mcp/index.js';
export type { Session } from './mcp/index.js';
export type {
  CallConnection,
  ConnectOptions,
  CallOptions,
  ListLimits,
  ReadOptions,
  RequestOptions,
  SdkClient,
} from './mcp/index.js';
export type { ClientTransport, HttpAddress, SentText, ServerAddress, StdioAddress } from './mcp/index.js';
export type { Catalogue, CatalogueTool, Note, ReadCatalogueOptions, SkippedTool, ToolText } from './mcp/index.js';
export type { ChangingList, ContentBlock, Progress, RawResult, ToolResult } from './mcp/index.js';
export type { Prompt, PromptMessage, PromptResult } from './mcp/index.js';
export type { Resource, ResourceContents, ResourceTemplate } from './mcp/index.js';
export type { CompleteOptions, Completion, CompletionReference } from './mcp/index.js';

// Authorization, and what a server asks in the middle of a call.
export { clientCredentials, dpop, enterpriseManaged, jwtBearer } from './mcp/index.js';
export type { AuthProvider, ClientCredentials, DpopAlgorithm, EnterpriseManaged, JwtBearer } from './mcp/index.js';
export type { OAuthProvider, ProgramCredentials, ProgramProvider, TokenRequest } from './mcp/index.js';
export { answersFrom, decline } from './mcp/index.js';
export type { Asked, CheckedContent, Continuation, Elicit, Elicitation, ElicitationAnswer } from './mcp/index.js';
export type { FormElicitation, UrlElicitation } from './mcp/index.js';

// Errors.
export * from './errors.js';
export type { McpErrorCode, McpErrorOptions } from './mcp/index.js';

// One tool: for a model, checked, called, and its result as text.
export { callTool, checkArguments, modelTools, resultText } from './tool/index.js';
export type {
  FixedArguments,
  ModelTool,
  ModelToolsOptions,
  ToolOptions,
  ToolOutcome,
  TypedCallTool,
} from './tool/index.js';
export type { CheckedArguments, CheckedTool, InvalidArgumentsReport, ReportedViolation } from './tool/index.js';

// The tools of servers, for the agent of any framework.
export { agentTools } from './programs/index.js';
export type {
  AgentCallOptions,
  AgentCheck,
  AgentResult,
  AgentTool,
  AgentTools,
  AgentToolsOptions,
} from './programs/index.js';
export type {
  ApprovalRule,
  EntryOptions,
  Fixed,
  FixedArgument,
  HttpTransportName,
  OpenTools,
} from './programs/index.js';
export type { ProgressOf, ServerEntry, ServerReport, SeveralServers } from './programs/index.js';
export type { ToolsOptions, ToolsReport, ToolsSource } from './programs/index.js';
export type { ResultPart } from './tool/index.js';

// Tools that change: what was approved.
export { approveTools, readApprovedFile } from './approval/index.js';
export type { ApprovalDifference, ApprovedFile, ApprovedText, ApprovedTools, WhenChanged } from './approval/index.js';
export type { ToolFilter, ToolSearchMode } from './toolset/index.js';

// Projections of a tool's schema for people and other libraries.
export { exampleValue, formArguments, formFields, standardSchema } from './projections/index.js';
export type { FormArgumentsOptions, FormField, FormFieldType, FormOption, FormOptions } from './projections/index.js';
export type { Api, Provider, StandardSchemaOptions, StandardToolSchema } from './projections/index.js';

// Repair and validation on their own.
export type { RepairArgumentsOptions, RepairedArguments } from './repair/index.js';
export { describeRepair, repairArguments } from './repair/index.js';
export type { Repair, RepairChoice, RepairedTool, RepairKind, RepairOption } from './repair/index.js';
export type { JsonType } from './json/index.js';
export { compileSchema, evaluate, type CompiledSchema, type CompileOptions, type Dialect } from './schema/index.js';
export type { Budget, Diagnostic, DiagnosticCode, EvaluateOptions, Evaluation } from './schema/index.js';
export type { Expectation, Property, Received, UndeterminedReason, Violation } from './schema/index.js';
