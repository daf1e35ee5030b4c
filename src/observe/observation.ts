import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { argumentsFromText, checkArguments, compileSchema, describeRepair, evaluate } from '../internal.js';
import { InvalidArgumentsError } from '../internal.js';
import type { CatalogueTool } from '../internal.js';
import { isSchema, jsonText, parseJson } from '../json/index.js';
import { differencesInWords } from '../approval/index.js';
import { type Fate, fateOfTexts, heldExactly } from '../projections/index.js';
import { matchNames } from '../tool/index.js';
import { type Format, type FormatName, type ModelCall, type SentTool, sentTools } from './formats.js';

export interface ObservedTool {
  readonly server: string | undefined;
  readonly name: string;
  fate: Fate;
  readonly sentAs: string[];
  readonly schema: string;
  sentSchema: string | undefined;
  changes: readonly string[];
  /** Name, description and schema in characters / 4. */
  readonly tokens: { readonly original: number; sent: number | undefined };
}

/** A request with tools that differ from those of the earlier requests. */
export interface ObservedRequest {
  readonly format: FormatName;
  readonly tools: readonly ObservedTool[];
  readonly others: readonly string[];
}

export interface ObservedCall {
  readonly server?: string | undefined;
  /** The server's name for the tool; the model's name if the server has no such tool. */
  readonly tool: string;
  readonly verdict: 'valid' | 'repaired' | 'refused';
  readonly repairs: readonly string[];
  readonly message?: string;
  /** True if an invalid call satisfies the schema that the model was sent. */
  readonly asSent: boolean;
}

export type SentNames = ReadonlyMap<string, (Entry & { readonly sent: SentTool }) | undefined>;

interface Entry {
  readonly name: string;
  readonly server: string | undefined;
  readonly tool: CatalogueTool;
  readonly report: ObservedTool;
}

interface Listener {
  request(request: ObservedRequest): void;
  call(call: ObservedCall): void;
}

const worst: readonly Fate[] = ['lost', 'identical', 'reordered', 'annotations', 'meaning'];

/** The number of remembered lists of tools, and of remembered calls, which is also the limit for one answer. */
const [mostLists, mostCalls] = [200, 1000];

export class Observation {
  readonly calls: ObservedCall[] = [];
  readonly counts = { requests: 0, calls: 0, valid: 0, repaired: 0, refused: 0 };
  readonly #entries: readonly Entry[];
  readonly #lists = new Map<string, Promise<SentNames>>();
  readonly #listener: Listener | undefined;

  constructor(tools: readonly { server?: string | undefined; tool: CatalogueTool }[], listener?: Listener) {
    this.#listener = listener;
    this.#entries = tools.map(({ server, tool }) => {
      const { name, description } = tool;
      const schema = tool.text?.inputSchema ?? jsonText(tool.inputSchema);
      const tokens = { original: tokensOf(name, description, schema), sent: undefined };
      const none = { fate: 'lost', sentSchema: undefined, changes: [] } as const;
      return { name, server, tool, report: { server, name, schema, tokens, sentAs: [], ...none } };
    });
  }

  get tools(): readonly ObservedTool[] {
    return this.#entries.map(({ report }) => report);
  }

  noteRequest(list: string, format: Format): Promise<SentNames> {
    this.counts.requests++;
    const key = createHash('sha256').update(`${format.name} ${list}`).digest('hex');
    if (this.#lists.size >= mostLists) this.#lists.clear();
    const names = this.#lists.get(key) ?? this.#compared(sentTools(list, format), format.name);
    this.#lists.set(key, names);
    return names;
  }

  async #compared(sent: readonly SentTool[], format: FormatName): Promise<SentNames> {
    const sentNames = sent.map(({ name }) => name);
    const matched = matchNames(sentNames, this.#entries);
    const names = new Map<string, (Entry & { sent: SentTool }) | undefined>();
    for (const each of sent) {
      const entry = matched.get(each.name);
      names.set(each.name, entry && { ...entry, sent: each });
      if (entry) note(entry, each);
      // Streams go on meanwhile.
      await nextTurn();
    }
    const others = [...names].filter(([, known]) => !known).map(([name]) => name);
    this.#listener?.request({ format, tools: this.tools, others });
    return names;
  }

  /** Calls of other tools than the servers' are nobody's here. */
  async noteAnswer(calls: readonly ModelCall[], names: SentNames): Promise<void> {
    for (const call of calls.slice(0, mostCalls)) {
      const known = names.get(call.name);
      if (!known && names.has(call.name)) continue;
      const judged = known ? judge(call, known, known.sent) : { ...notSent, tool: call.name };
      this.counts.calls++;
      this.counts[judged.verdict]++;
      if (this.calls.length < mostCalls) this.calls.push(judged);
      this.#listener?.call(judged);
      await nextTurn();
    }
  }
}

function note({ report }: Entry, { name, description, schema = '{}' }: SentTool): void {
  if (!report.sentAs.includes(name) && report.sentAs.length < 20) report.sentAs.push(name);
  if (report.sentSchema === schema) return;
  const fate = fateOfTexts(report.schema, schema);
  if (worst.indexOf(fate) < worst.indexOf(report.fate)) return;
  report.fate = fate;
  report.sentSchema = schema;
  report.tokens.sent = tokensOf(name, description, schema);
  const [before, after] = [report.schema, schema].map((text) => ({ inputSchema: heldExactly(text) }));
  report.changes = fate === 'identical' ? [] : differencesInWords(before ?? {}, after ?? {});
}

function tokensOf(name: string, description = '', schema: string): number {
  return Math.ceil((name.length + description.length + schema.length) / 4);
}

const message = 'The request has no tool of this name.';
const notSent = { verdict: 'refused', repairs: [], message, asSent: false } as const;

function judge(call: ModelCall, { tool, report }: Entry, { schema = '{}' }: SentTool): ObservedCall {
  const whose = { server: report.server, tool: tool.name };
  const text = typeof call.arguments === 'string' ? call.arguments : undefined;
  const parsed = text === undefined ? call.arguments : parseJson(text);
  const args = parsed ?? argumentsFromText(text ?? '') ?? text;
  const asked = parseJson(schema);
  const asSent = () =>
    parsed !== undefined && isSchema(asked) && evaluate(compileSchema(asked), args).outcome === 'valid';
  try {
    const checked = checkArguments(tool, args, { whenUndetermined: 'allow' });
    const repairs = checked.repairs.map(describeRepair);
    if (parsed === undefined) repairs.unshift('the arguments: a text that is no JSON → read as it is meant');
    if (repairs.length === 0) return { ...whose, verdict: 'valid', repairs, asSent: false };
    return { ...whose, verdict: 'repaired', repairs, asSent: asSent() };
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    return { ...whose, verdict: 'refused', repairs: [], message: error.message, asSent: asSent() };
  }
}
