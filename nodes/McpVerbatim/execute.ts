import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Catalogue, CatalogueTool, ResourceContents, Session, ToolResult } from '../../src/internal.js';
import { callOverSession, roundedNote, signature } from '../../src/internal.js';
import { isObject } from '../../src/json/index.js';
import { callVisibly, logListed, toolError } from '../call.js';
import { type Server, serverName, withSession } from '../connection/session.js';
import { errorForEditor, errorForModel, SetupError } from '../errors.js';
import { hintSkipped, hintText } from '../hints.js';
import { linkToAgentItem } from '../host/agent-item.js';
import { toTheEnd } from '../host/execution.js';
import { attach, exactJson, forEachItem, toJson } from '../items.js';
import { type NodeOptions, readOptions } from '../options/read.js';
import { choiceIn, objectIn } from '../values.js';
import { readArguments } from './arguments.js';
import { output, promptArguments } from './description.js';
import { chosen, refuseUnknown } from './parameters.js';
import { parsedText, resultItem } from './result.js';
import { textOf } from '../text.js';

interface OperationInput {
  context: IExecuteFunctions;
  session: Session;
  server: Server;
  itemIndex: number;
  options: NodeOptions;
}

const operations: Readonly<Partial<Record<string, (input: OperationInput) => Promise<INodeExecutionData[]>>>> = {
  'tool/list': listTools,
  'tool/call': callToolOnce,
  'resource/list': async (input) => listed(input, 'resources', await input.session.listResources(input.options.call)),
  'resource/listTemplates': async (input) =>
    listed(input, 'resource templates', await input.session.listResourceTemplates(input.options.call)),
  'resource/read': readResource,
  'prompt/list': async (input) => listed(input, 'prompts', await input.session.listPrompts(input.options.call)),
  'prompt/get': getPrompt,
};

export async function executeOperations(given: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  return await toTheEnd(given, async (context) => {
    const isTool = isDerivedTool(context);
    if (isTool) linkToAgentItem(context);
    const errorFor = isTool ? errorForModel : errorForEditor;
    const explain = (error: unknown, itemIndex: number) => errorFor(context.getNode(), error, { itemIndex });
    return await forEachItem(context, (itemIndex) => answerItem(context, itemIndex), explain);
  });
}

/** The tool that n8n derives from the node has the node's type with "Tool" appended. */
function isDerivedTool(context: IExecuteFunctions): boolean {
  return context.getNode().type.endsWith('Tool');
}

async function answerItem(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const name = `${context.getNodeParameter('resource', itemIndex)}/${context.getNodeParameter('operation', itemIndex)}`;
  const operation = operations[name];
  if (!operation) throw new SetupError(`There is no operation "${name}"`, 'Choose the operation in the panel.');
  const options = readOptions(context, itemIndex);
  const items = await withSession(context, itemIndex, options.session, (session, server) =>
    operation({ context, session, server, itemIndex, options }),
  );
  return items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
}

async function listTools(input: OperationInput): Promise<INodeExecutionData[]> {
  const { context, session, server, itemIndex, options } = input;
  const catalogue = await session.listTools(options.call);
  const { tools, skipped } = catalogue;
  logListed(context, server, catalogue, tools.length);
  hintSkipped(context, catalogue);
  if (tools.length === 0) hintNone(input, 'tools that can be called');
  const definitions = tools.map(({ definition }) => definition);
  switch (choiceIn(output, context.getNodeParameter(output.name, itemIndex, output.default))) {
    case 'everything': {
      const { serverInfo, protocolVersion, instructions } = session;
      const notes = tools.flatMap(({ name, notes }) => notes.map((note) => ({ tool: name, ...note })));
      const about = { ...serverInfo, protocolVersion, instructions };
      return [{ json: toJson({ server: about, tools: definitions, skipped, notes }) }];
    }
    case 'compact':
      return tools.map((tool) => {
        const { name, title, description } = tool;
        return { json: toJson({ name, title, description, signature: signature(tool) }) };
      });
    case 'perTool':
      return definitions.map((definition) => ({ json: toJson(definition) }));
  }
}

async function callToolOnce(input: OperationInput): Promise<INodeExecutionData[]> {
  const { context, session, server, itemIndex, options } = input;
  const catalogue = await session.listTools(options.call);
  logListed(context, server, catalogue, catalogue.tools.length);
  const tool = toolNamed(chosen(context, 'tool', itemIndex, 'tool'), catalogue);
  const { name } = tool;
  const { args, argumentsText, roundedArgument } = readArguments(context, itemIndex, tool);
  const settings = { ...options.tool, ...options.call, argumentsText };
  const { result } = await callVisibly(context, server.log, name, async () => {
    const outcome = await callOverSession(session, tool, args, settings);
    if (roundedArgument === undefined) return outcome;
    const note = roundedNote(roundedArgument);
    Object.assign(outcome.result, { warnings: [...(outcome.result.warnings ?? []), note] });
    return { ...outcome, warnings: [...outcome.warnings, note] };
  });
  if (!result.isError) {
    const item = options.raw ? { json: toJson(rawResult(result)) } : await resultItem(context, name, result);
    // A model reads the item, and no hint.
    if (result.warnings && isDerivedTool(context))
      item.json = { ...item.json, warning: result.warnings.map(({ message }) => message).join(' ') };
    return [item];
  }
  throw toolError(context, name, result, { itemIndex });
}

function rawResult({ raw, rawText }: ToolResult): object {
  const exact = rawText === undefined ? undefined : exactJson(rawText);
  return isObject(exact) ? exact : raw;
}

function toolNamed(name: string, catalogue: Catalogue): CatalogueTool {
  const tool = catalogue.find(name);
  if (tool) return tool;
  const skipped = catalogue.skipped.find((entry) => entry.name === name);
  if (skipped) throw new SetupError(`The tool "${name}" cannot be called`, skipped.reason.message);
  return refuseUnknown(name, catalogue.tools);
}

/** One item per part of the resource: JSON is parsed, blobs are binary data. The server's parts are unchecked. */
async function readResource({ context, session, itemIndex, options }: OperationInput): Promise<INodeExecutionData[]> {
  const uri = chosen(context, 'uri', itemIndex, 'resource');
  const parts = await session.readResource(uri, options.call);
  return await Promise.all(
    parts.map(async (whole: ResourceContents | null) => {
      const { blob, ...part }: Partial<ResourceContents> = whole ?? { data: null };
      const item: INodeExecutionData = { json: toJson(part) };
      const data = typeof part.text === 'string' ? parsedText(part.text, part.mimeType) : undefined;
      if (typeof data === 'object') item.json.data = data;
      if (typeof blob === 'string') await attach(context, item, blob, part.mimeType, part.uri ?? uri);
      return item;
    }),
  );
}

async function getPrompt({ context, session, itemIndex, options }: OperationInput): Promise<INodeExecutionData[]> {
  const name = chosen(context, 'prompt', itemIndex, 'prompt');
  const given = objectIn({ arguments: context.getNodeParameter('arguments', itemIndex, '{}') }, promptArguments);
  const args = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const texts = Object.fromEntries(args.map(([key, value]) => [key, textOf(value)]));
  return [{ json: toJson(await session.getPrompt(name, texts, options.call)) }];
}

function listed(input: OperationInput, what: string, entries: readonly unknown[]): INodeExecutionData[] {
  if (entries.length === 0) hintNone(input, what);
  return entries.map((entry) => ({ json: toJson(isObject(entry) ? entry : { data: entry }) }));
}

function hintNone({ context, session }: OperationInput, what: string): void {
  hintText(context, 'info', `${serverName(session)} has no ${what}.`);
}
