import { createRequire } from 'node:module';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type {
  ICredentialDataDecryptedObject,
  IDataObject,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INode,
  INodeExecutionData,
  INodeParameters,
  INodePropertyOptions,
  INodeType,
  ISupplyDataFunctions,
  NodeExecutionHint,
  ResourceMapperField,
} from 'n8n-workflow';
import type * as n8nWorkflow from 'n8n-workflow';
import { onTestFinished } from 'vitest';

// The same copy that the packed nodes load, so that their errors are instances of its classes.
const { NodeHelpers, NodeOperationError } = createRequire(import.meta.url)('n8n-workflow') as typeof n8nWorkflow;

export interface NodeUnderTest {
  type: INodeType;
  parameters?: INodeParameters;
  credentials?: Record<string, ICredentialDataDecryptedObject>;
  settings?: Partial<INode>;
  items?: INodeExecutionData[];
  /** The helpers of n8n that the node needs besides those for binary data. */
  helpers?: Record<string, unknown>;
  /** The type of the chat model of the agent around a sub-node. */
  model?: string;
  /** More members of the model's node. */
  modelNode?: object;
}

export interface Execution {
  readonly id: string;
  /** The context of a run of the node, which n8n passes as `this`. */
  run(items?: INodeExecutionData[]): IExecuteFunctions;
  /** The context in which an agent asks for the tools. */
  supply(): ISupplyDataFunctions;
  /** Makes the engine hold a call of an agent's model for this node, and returns the engine's item for it. */
  request(input: IDataObject, metadata?: IDataObject, agentItem?: IDataObject): INodeExecutionData;
  output(items?: INodeExecutionData[]): Promise<INodeExecutionData[]>;
  /** Ends the execution as n8n does; the end of the test does so at the latest. */
  finish(): Promise<void>;
  cancel(): void;
  readonly hints: NodeExecutionHint[];
  /** The data that sub-nodes recorded for the view of the execution. */
  readonly recorded: unknown[];
  readonly logged: string[];
}

let executions = 0;

/**
 * One execution with one node. It imitates only the behaviour of n8n on which the nodes rely: default parameters,
 * resource locators, the engine's requests, the end of an execution.
 */
export function execution(node: NodeUnderTest): Execution {
  const id = String(++executions);
  const abort = new AbortController();
  const ends: Array<() => unknown> = [];
  const hints: NodeExecutionHint[] = [];
  const recorded: unknown[] = [];
  const logged: string[] = [];
  const actions: unknown[] = [];
  const agentRun = { metadata: { subNodeExecutionData: { actions } } };
  let calls = 0;
  const base = (items: INodeExecutionData[]) => ({
    ...parameterContext(node),
    getInputData: () => items,
    connectionInputData: items,
    getExecutionId: () => id,
    getMode: () => 'manual',
    getTimezone: () => 'Europe/Berlin',
    getWorkflow: () => ({ id: 'workflow', active: false }),
    continueOnFail: () => node.settings?.onError?.startsWith('continue') ?? false,
    getExecutionCancelSignal: () => abort.signal,
    onExecutionFinish: (end: () => unknown) => void ends.push(end),
    onExecutionCancellation: (handler: () => unknown) => abort.signal.addEventListener('abort', () => handler()),
    logger: { debug: (message: string) => void logged.push(message) },
    addExecutionHints: (...more: NodeExecutionHint[]) => void hints.push(...more),
    addInputData: (type: string, data: unknown) => ({ index: recorded.push(ofAgents(type, data)) - 1 }),
    addOutputData(type: string, index: number, data: unknown) {
      if (!(index in recorded)) throw new Error(`There is no input ${index}.`);
      recorded.push(ofAgents(type, data));
    },
    workflow: {
      getChildNodes: () => ['AI Agent'],
      getParentNodes: (_name: string, type: string) =>
        node.model === undefined || type !== 'ai_languageModel' ? [] : ['Model'],
      getNode: () => ({ type: node.model, ...node.modelNode }),
    },
    runExecutionData: { executionData: { nodeExecutionStack: [agentRun] } },
    executeData: agentRun,
  });
  // n8n's contexts have many more methods than the nodes use.
  const run = (items = node.items ?? [{ json: {} }]) => base(items) as unknown as IExecuteFunctions;
  const finish = async () => {
    await Promise.all(ends.splice(0).map((end) => end()));
  };
  onTestFinished(finish);
  return {
    id,
    hints,
    recorded,
    logged,
    run,
    async output(items) {
      const outputs = await node.type.execute?.call(run(items));
      return Array.isArray(outputs) ? (outputs[0] ?? []) : [];
    },
    supply: () => base([{ json: {} }]) as unknown as ISupplyDataFunctions,
    request(input, metadata = {}, agentItem = {}) {
      const toolCallId = `call_${++calls}`;
      actions.push({ action: { nodeName: nodeOf(node).name, id: toolCallId, input, metadata }, runIndex: calls - 1 });
      return { json: { ...agentItem, ...input, toolCallId } };
    },
    finish,
    cancel: () => abort.abort(),
  };
}

/** n8n shows what is recorded beside the connection of this type alone. */
function ofAgents<Data>(type: string, data: Data): Data {
  if (type !== 'ai_tool') throw new Error(`There is no connection of the type ${type}.`);
  return data;
}

/** A model's arguments for find_relatives of the demo server, and the arguments that the server has to receive. */
export const slips = personsOf('30', '100');
export const repaired = personsOf(30, 100);

function personsOf<N>(ageMin: N, limit: N) {
  const queries = [{ group: '123e4567-e89b-12d3-a456-426614174000', ageMin }];
  return { queries, limit, 'x-trace': 'abc' };
}

/** The credential of an HTTP server without authentication. */
export function atUrl(url: string): Record<string, ICredentialDataDecryptedObject> {
  return { mcpVerbatimHttpApi: { url, transport: 'http', authentication: 'none' } };
}

/** The parameters of a call. The type of parameters does not cover resource locators. */
export function callOf(tool: string, args: object = {}): INodeParameters {
  return {
    resource: 'tool',
    operation: 'call',
    tool: named(tool),
    argumentsMode: 'json',
    jsonArguments: asJson(JSON.stringify(args)),
  };
}

/** The field for JSON, with a string or the value of an expression. */
export function asJson(args: string | object): INodeParameters {
  return { mappingMode: 'defineBelow', value: { arguments: args as string }, schema: [] }; // objects come from expressions
}

/** The value of a picker in which a person typed a name. */
export function named(value: string): INodeParameters {
  return { __rl: true, mode: 'name', value }; // a resource locator, which the type does not cover
}

export function editor(node: NodeUnderTest): ILoadOptionsFunctions {
  // n8n gives an id here, but no signal of an execution's end (load-options-context.js).
  return { ...parameterContext(node), getExecutionId: () => undefined } as unknown as ILoadOptionsFunctions;
}

export async function noticeOf(node: NodeUnderTest, method: string, context = editor(node)): Promise<string> {
  return (await node.type.methods?.resourceMapping?.[method]?.call(context))?.emptyFieldsNotice ?? '';
}

export async function fieldsOf(node: NodeUnderTest, method: string): Promise<ResourceMapperField[]> {
  return (await node.type.methods?.resourceMapping?.[method]?.call(editor(node)))?.fields ?? [];
}

export async function choicesOf(node: NodeUnderTest, method: string, filter?: string): Promise<INodePropertyOptions[]> {
  const { loadOptions, listSearch } = node.type.methods ?? {};
  const searched = await listSearch?.[method]?.call(editor(node), filter);
  return searched?.results ?? (await loadOptions?.[method]?.call(editor(node))) ?? [];
}

export async function toolsOf(run: Execution & { node: NodeUnderTest }): Promise<StructuredToolInterface[]> {
  const supplied = await run.node.type.supplyData?.call(run.supply(), 0);
  return (supplied?.response as { getTools(): StructuredToolInterface[] }).getTools();
}

function parameterContext(node: NodeUnderTest) {
  const { description } = node.type;
  const given = { ...node.parameters };
  const parameters = NodeHelpers.getNodeParameters(
    description.properties,
    given,
    true,
    false,
    nodeOf(node),
    description,
  );
  return {
    helpers: { prepareBinaryData, ...node.helpers },
    logger: { debug: () => {} },
    getNode: () => nodeOf(node),
    // The stored credential before n8n evaluates it.
    additionalData: {
      credentialsHelper: {
        getDecrypted: async (_data: unknown, _reference: unknown, type: string) => node.credentials?.[type] ?? {},
      },
    },
    getCredentials: async (type: string) => {
      const data = node.credentials?.[type];
      if (data === undefined) throw new Error(`Node does not have any credentials set for "${type}"`);
      return structuredClone(data); // n8n decrypts it for each call
    },
    getNodeParameter(name: string, itemIndex: unknown, fallback?: unknown, options?: { extractValue?: boolean }) {
      const isEditor = typeof itemIndex !== 'number';
      const value = parameters?.[name];
      if (value === undefined) return isEditor ? itemIndex : fallback;
      const extract = (isEditor ? (fallback as typeof options) : options)?.extractValue;
      return extract && typeof value === 'object' && value !== null && '__rl' in value ? value['value'] : value;
    },
  };
}

function nodeOf({ type, settings, parameters }: NodeUnderTest): INode {
  return {
    id: 'b0a1c2d3',
    name: type.description.displayName,
    type: `n8n-nodes-mcp-verbatim.${type.description.name}`,
    typeVersion: 1,
    position: [0, 0],
    parameters: { ...parameters },
    ...settings,
  };
}

/** JSON with the members of errors that n8n shows, and without long files. */
export function readableText(value: unknown): string {
  const errors = ({
    message,
    description,
    functionality,
    context,
    level,
    messages,
  }: n8nWorkflow.NodeOperationError) => {
    return { message, description, functionality, context, level, messages };
  };
  const readable = function (this: Record<string, unknown>, name: string, part: unknown): unknown {
    if (this[name] instanceof NodeOperationError) return errors(this[name]);
    return typeof part === 'string' && part.length > 1000 ? `${part.length} characters` : part;
  };
  return JSON.stringify(value, readable, 2);
}

async function prepareBinaryData(data: Buffer, fileName?: string, mimeType = 'application/octet-stream') {
  return { data: data.toString('base64'), mimeType, fileName };
}
