/** The errors of this package, which both of its main entries export. */
export { AuthorizationError, CallPaused, CancelledError, ConnectionError, IncompleteListError } from './mcp/index.js';
export { InputRequiredError, LimitError, McpError, ProtocolError, ServerError, TimeoutError } from './mcp/index.js';
export { unknownOutcome } from './mcp/index.js';
export { ConfigurationError, isMcpVerbatimError } from './json/index.js';
export { FixedArgumentsError, InvalidArgumentsError, InvalidResultError } from './tool/index.js';
export { FormValueError } from './projections/index.js';
export { McpServersError } from './programs/index.js';
