import { describeRepair, exposedTool, FixedArgumentsError, InvalidArgumentsError, McpError } from '../../internal.js';
import { sentSchema, shortenedResult, tooManyTools } from '../../internal.js';
import type { Api, CallSettings, Provider, ToolOptions, ViewOptions } from '../../internal.js';
import { isObject, itemTexts, jsonText, memberText, messageOf, quote, sentences, shortened } from '../../json/index.js';
import { withMember } from '../../json/index.js';
import type { JsonObject } from '../../json/index.js';
import { isInterim, linesBeside } from '../../mcp/index.js';
import { codes, Refusal } from '../errors.js';
import { loggedName, type Log } from '../log.js';
import { ownTurn } from '../message-size.js';
import type { Caller } from '../upstream/calls-under-way.js';
import { problemOf, skippedLine, type Group } from '../upstream/group.js';

export interface ToolSettings extends Pick<ViewOptions, 'toolSearch' | 'always'> {
  readonly tool: Omit<ToolOptions, 'fixed'>;
  readonly provider?: Provider | undefined;
  /** One of the provider's APIs, if their rules differ. */
  readonly api?: Api | undefined;
  readonly log: Log;
  /** If true, the log shows arguments and results, with secrets masked. */
  readonly logsArguments?: boolean | undefined;
}

/** A line of the log. */
type Note = readonly [text: string, server?: string];

interface CallRequest {
  readonly params: JsonObject;
  readonly paramsText: string;
  readonly doubled: string | undefined;
}

/** Lists and calls the tools of a group. */
export function toolsOf(group: Pick<Group, 'tools' | 'listed'>, settings: ToolSettings) {
  let lastNotes = '';
  return { list, call };

  async function list({ cursor }: JsonObject = {}, signal?: AbortSignal): Promise<string> {
    if (cursor !== undefined) throw new Refusal(codes.invalidParams, 'Invalid cursor');
    const { servers, sent, find, warnings } = await group.listed(signal, true);
    const notes = warnings.map((warning): Note => [warning]);
    for (const each of servers) {
      const { name } = each.server;
      const problem = problemOf(each);
      if (problem !== undefined) notes.push([messageOf(problem), name]);
      const skipped = each.admission?.catalogue.skipped ?? [];
      notes.push(...skipped.map((tool): Note => [`skipped ${skippedLine(tool)}`, name]));
    }
    const admitted = new Map(servers.map(({ server, admission }) => [server, admission?.tools]));
    const { provider, api } = settings;
    const texts = sent.map(({ name, description, schema, tool }) => {
      const server = find(name)?.server;
      if (!server) return jsonText({ name, description, inputSchema: schema, annotations: tool.annotations });
      const { text, differences } = exposedTool(tool, name, {
        provider,
        api,
        fixed: Object.keys(admitted.get(server)?.get(tool.name)?.fixed ?? {}),
        isShortened: server.server.maxResultLength !== undefined,
      });
      notes.push(...differences.map((difference): Note => [`${name}: ${difference}`, server.name]));
      return text;
    });
    const tooMany = provider && tooManyTools(sent.length, provider);
    if (tooMany !== undefined) notes.push([tooMany]);
    if (notes.join('\n') !== lastNotes) for (const [note, server] of notes) settings.log(note, { server });
    lastNotes = notes.join('\n');
    return `{"tools":[${texts.join(',')}]}`;
  }

  async function call(name: string, request: CallRequest, caller: Caller): Promise<string> {
    const { params, paramsText, doubled } = request;
    const { record } = caller;
    const argumentsText = isObject(params['arguments']) ? memberText(paramsText, ['arguments']) : undefined;
    record.tool = loggedName(name, 128);
    if (settings.logsArguments) record.arguments = argumentsText ?? '{}';
    await group.listed(caller.signal);
    // All calls that waited for the tools go on at once.
    await ownTurn();
    const route = group.tools.route(name, params['arguments'], argumentsText);
    if (route.kind === 'text') {
      record.outcome = route.isError ? 'refused' : 'ok';
      return textResult(route.text, route.isError);
    }
    const refused = (text: string, error: string, details: readonly string[] = []) => {
      Object.assign(record, { outcome: 'refused', error, ...(settings.logsArguments && { details }) });
      return textResult(text, true);
    };
    if (route.kind === 'unknown') {
      refused('', 'UNKNOWN_TOOL');
      throw new Refusal(codes.invalidParams, sentences(`Unknown tool: ${name}`, route.reason));
    }
    const { server: upstream, tool: model } = route;
    record.server = upstream.name;
    record.tool = model.tool.name;
    const duplicate = `Duplicate key ${quote(shortened(doubled ?? '', 100))} in the arguments.`;
    if (doubled !== undefined)
      return refused(`${duplicate} The tool was not called. Send each key once.`, 'DOUBLED_NAME');
    // If a provider rejects the name of an argument, clients have another one.
    const { argumentsFromModel } = sentSchema(model.schema, settings.provider ?? [], settings.api);
    const args = argumentsFromModel?.(route.arguments) ?? route.arguments;
    // The client has the output schema, and checks the result if it wants to.
    const ofCall: CallSettings = Object.assign({}, settings.tool, {
      outputSchema: 'ignore' as const,
      argumentsText: args === route.arguments ? route.argumentsText : undefined,
    });
    try {
      const call = { params, caller };
      const { result, repairs, warnings } = await group.tools.call(upstream, model.tool, args, ofCall, call);
      const { rawText, content, structuredContent, isError } = result;
      const resultText = rawText ?? jsonText({ content, structuredContent, isError });
      record.outcome = isError ? 'tool error' : 'ok';
      if (repairs.length > 0) record.repaired = [...new Set(repairs.map(({ kind }) => kind))];
      if (settings.logsArguments) {
        record.details = [...repairs.map(describeRepair), ...warnings.map(({ message }) => message)];
        record.result = resultText;
      }
      // A model reads the call's last result alone.
      const notes = isInterim(result.raw) ? [] : linesBeside(result);
      return withTexts(resultText, notes, upstream.server.maxResultLength);
    } catch (error) {
      // A model can mend these, or a person who approves tools; other errors are for the client.
      const isOfPolicy = error instanceof McpError && error.code === 'NOT_AS_APPROVED';
      if (!(error instanceof InvalidArgumentsError || error instanceof FixedArgumentsError || isOfPolicy)) throw error;
      return refused(route.refusal(error.message), error.code, [error.message]);
    }
  }
}

/** The result with further texts, all within the limit. */
function withTexts(resultText: string, texts: readonly string[], maxLength = Infinity): string {
  const room = maxLength - texts.reduce((sum, text) => sum + text.length + 2, 0);
  const shown = shortenedResult(resultText, room);
  if (texts.length === 0) return shown;
  const added = texts.map((text) => JSON.stringify({ type: 'text', text }));
  return withMember(shown, ['content'], `[${[...blockTexts(shown), ...added].join(',')}]`);
}

/** Some servers send a lone block, or its text, in place of the list; some send nothing. */
function blockTexts(resultText: string): string[] {
  const content = memberText(resultText, ['content']) ?? '';
  if (content.startsWith('[')) return itemTexts(content);
  if (content.startsWith('{')) return [content];
  return content.startsWith('"') ? [`{"type":"text","text":${content}}`] : [];
}

function textResult(text: string, isError: boolean): string {
  return JSON.stringify({ content: [{ type: 'text', text }], ...(isError && { isError }) });
}
