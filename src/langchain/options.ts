import type { CatalogueTool, ConnectOptions, Provider } from '../index.js';
import type { CallBehaviour } from './call.js';
import type { OnError } from './tool.js';

/** What to offer, how calls are made, and who hears of errors. Times are milliseconds. */
export interface McpToolsOptions
  extends CallBehaviour, Pick<ConnectOptions, 'signal' | 'clientInfo' | 'onNotification'> {
  /** Which tools to offer, by the server's own names or by a predicate. Default: all. */
  include?: readonly string[] | ((tool: CatalogueTool, server: string) => boolean);
  /** Which tools to leave out; wins over `include`. */
  exclude?: readonly string[] | ((tool: CatalogueTool, server: string) => boolean);
  /**
   * Put in front of every name that the model sees: a text, a function of the server's name, or `true` for
   * `<server>__`. Default: `true` with several servers, else nothing. The server is called by its own name always.
   */
  prefix?: boolean | string | ((server: string) => string);
  /**
   * Arguments that do not fit the schema, after repair: 'message' answers the model with every violation, 'throw'
   * throws `InvalidToolInputException` (a `ToolInputParsingException`). Default: 'message' for a tool call, 'throw'
   * for plain arguments.
   */
  onInvalidArguments?: OnError;
  /**
   * A call that got no answer (timeout, lost connection, JSON-RPC error): 'message' tells the model, 'throw' throws
   * the `McpError`. Default as above. A run that was cancelled throws always.
   */
  onFailure?: OnError;
  /**
   * A server of several that cannot be reached or listed: 'report' goes on with the others and says so in `report`,
   * 'throw' gives up. Default: 'report'; where no server is left, an error is thrown in any case.
   */
  onServerError?: 'report' | 'throw';
  /** LangChain's `extras` (provider options such as Anthropic's `cache_control`), for all tools or for each. */
  extras?: Record<string, unknown> | ((tool: CatalogueTool, server: string) => Record<string, unknown> | undefined);
  /**
   * Hands out a fresh copy of a schema each time it is read, in place of the frozen original: for packages that write
   * on the schemas they are given (@langchain/cohere 1.0). Default: false.
   */
  copySchemas?: boolean;
  /** Whose model the tools are for: what that provider is known to refuse, drop or change stands among the report's notes. */
  provider?: Provider;
  /**
   * Shows the model a projection of each schema that `provider` takes, where it does not take the original. The
   * original still decides about the arguments. Default: false.
   */
  providerSafe?: boolean;
}
