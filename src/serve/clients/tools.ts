import {
  describeRepair,
  FixedArgumentsError,
  InvalidArgumentsError,
  McpError,
  sentSchema,
  tooManyTools,
} from '../../internal.js';
import type { AdmittedTool, CallSettings, CatalogueTool, Provider, ToolOptions, ViewOptions } from '../../internal.js';
import { doubledName, isObject, jsonText, memberText, quote, shortened, type JsonObject } from '../../json/index.js';
import { codes, Refusal } from '../errors.js';
import { ownTurn } from '../message-size.js';
import type { Caller } from '../upstream/calls-under-way.js';
import { skippedLine, type Group } from '../upstream/group.js';
import { exposedTool, shortenedResult, textResult } from './exposed-tool.js';

export interface ToolSettings extends Pick<ViewOptions, 'toolSearch' | 'always'> {
  readonly tool: Omit<ToolOptions, 'fixed'>;
  readonly provider?: Provider | undefined;
  /** Receives what was repaired, refused, skipped or exposed differently; a line each, for people. */
  readonly log: (line: string) => void;
}

export class Tools {
  #lastNotes = '';

  constructor(
    readonly group: Pick<Group, 'tools' | 'listed' | 'single'>,
    readonly settings: ToolSettings,
  ) {}

  async list({ cursor }: JsonObject, signal: AbortSignal): Promise<string> {
    if (cursor !== undefined) throw new Refusal(codes.invalidParams, 'Invalid cursor');
    const { servers, sent, find } = await this.group.listed(signal, true);
    const notes = servers.flatMap(({ server: { name }, admission }) =>
      (admission?.catalogue.skipped ?? []).map((tool) => `${name}: skipped ${skippedLine(tool)}`),
    );
    const fixed = new Map(servers.flatMap(({ admission }) => [...(admission?.tools.values() ?? [])].map(fixedNames)));
    const texts = sent.map(({ name, description, schema, tool }) => {
      const server = find(name)?.server;
      if (!server) return jsonText({ name, description, inputSchema: schema, annotations: tool.annotations });
      const { text, differences } = exposedTool(tool, name, {
        provider: this.settings.provider,
        fixed: fixed.get(tool) ?? [],
        isShortened: server.server.maxResultLength !== undefined,
      });
      notes.push(...differences.map((difference) => `${server.name}: ${name}: ${difference}`));
      return text;
    });
    const { provider } = this.settings;
    notes.push(...((provider && [tooManyTools(sent.length, provider) ?? []].flat()) ?? []));
    if (notes.join('\n') !== this.#lastNotes) notes.forEach(this.settings.log);
    this.#lastNotes = notes.join('\n');
    return `{"tools":[${texts.join(',')}]}`;
  }

  async call({ params, paramsText }: { params: JsonObject; paramsText: string }, caller: Caller): Promise<string> {
    await this.group.listed(caller.signal);
    // All calls that waited for the tools go on at once.
    await ownTurn();
    const name = String(params['name']);
    const text = isObject(params['arguments']) ? memberText(paramsText, ['arguments']) : undefined;
    const route = this.group.tools.route(name, params['arguments'], text);
    if (route.kind === 'text') return textResult(route.text, route.isError);
    if (route.kind === 'unknown')
      throw new Refusal(
        codes.invalidParams,
        route.reason === undefined ? `Unknown tool: ${name}` : `Unknown tool: ${name}. ${route.reason}`,
      );
    const {
      server: upstream,
      tool: { tool },
    } = route;
    const log = (line: string) => upstream.log(`${tool.name}: ${line}`);
    const doubled = doubledName(paramsText);
    if (doubled !== undefined) {
      const refusal = `${quote(shortened(doubled, 100))} stands twice in this call, which servers read in different ways. The tool was not called. Write it once.`;
      log(refusal);
      return textResult(refusal, true);
    }
    // Where a provider refuses names of arguments, clients have others.
    const { argumentsFromModel } = sentSchema(route.tool.schema, this.settings.provider ?? []);
    const args = argumentsFromModel?.(route.arguments) ?? route.arguments;
    const argumentsText = args === route.arguments ? route.argumentsText : undefined;
    const settings: CallSettings = {
      ...this.settings.tool,
      // The client has the output schema, and checks the result if it wants to.
      outputSchema: 'ignore',
      ...(argumentsText !== undefined && { argumentsText }),
    };
    try {
      const { tools } = this.group;
      const { result, repairs, warnings } = await tools.call(upstream, tool, args, settings, {
        params,
        caller,
      });
      for (const line of [...repairs.map(describeRepair), ...warnings.map(({ message }) => message)]) log(line);
      const { rawText, content, structuredContent, isError } = result;
      const resultText = rawText ?? jsonText({ content, structuredContent, isError });
      return shortenedResult(resultText, upstream.server.maxResultLength);
    } catch (error) {
      const refusal = refusalFor(error);
      if (!refusal) throw error;
      for (const line of refusal.lines) log(line);
      return textResult(route.refusal(refusal.text), true);
    }
  }
}

/** What a model can read and mend, or whoever approves the tools; any other error is the client's. */
function refusalFor(error: unknown): { text: string; lines: readonly string[] } | undefined {
  if (error instanceof InvalidArgumentsError)
    return { text: error.message, lines: [`refused: ${error.title}`, ...error.reasons] };
  const isPolicy = error instanceof McpError && error.code === 'NOT_AS_APPROVED';
  if (isPolicy || error instanceof FixedArgumentsError) return { text: error.message, lines: [error.message] };
  return undefined;
}

function fixedNames({ tool, fixed }: AdmittedTool): [CatalogueTool, string[]] {
  return [tool, Object.keys(fixed)];
}
