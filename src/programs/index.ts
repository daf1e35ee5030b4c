/** Tools with connections of their own, for programs: the base of every framework's entry. */
export { agentTools, openAgentTools, openedTools } from './agent-tools.js';
export type {
  AgentCallOptions,
  AgentCheck,
  AgentResult,
  AgentTool,
  AgentTools,
  AgentToolsOptions,
} from './agent-tools.js';
export { type ApprovalRule, approvalRule, needsApproval } from './approval-rule.js';
export { ModelSchema, type OfModel } from './model-schema.js';
export { namedModel, seesMedia } from './named-model.js';
export { openTools, type OpenTools, reservedNames, retryLost, warnOfMany } from './open-tools.js';
export { checkToolsOptions, ofEntries, ofTools } from './options.js';
export type { EntryOptions, Fixed, FixedArgument, Opener, ProgressOf, ToolsOptions } from './options.js';
export { McpServersError, type ServerReport, type ToolsReport } from './report.js';
export { type ProgramServer, serverOf } from './servers.js';
export { type HttpTransportName, isDisabled, ofEntry, readSource } from './sources.js';
export type { SeveralServers, ServerEntry } from './sources.js';
export type { SourceServer, ToolsSource } from './sources.js';
export { problemWith, writtenArguments } from './written-arguments.js';
