import type { CatalogueTool } from '../../internal.js';
import { counted, isObject, parseJson } from '../../json/index.js';
import {
  Observation,
  observe as observeRequests,
  type ObservedCall,
  type ObservedRequest,
  type ObservedTool,
} from '../../observe/index.js';
import type { Context } from '../context.js';
import { exitCodes, UsageError } from '../exit.js';
import { eachServer } from '../servers/sessions.js';
import { indentedJson, printReport } from '../terminal/json.js';
import { lineDiff } from '../terminal/line-diff.js';
import { table } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import type { ObserveGiven } from '../usage/observe.js';

const words: Record<ObservedTool['fate'], string> = {
  identical: 'identical',
  reordered: 'keys reordered',
  annotations: 'only annotations changed',
  meaning: 'another meaning',
  lost: 'not offered',
};

const fates = Object.keys(words) as ObservedTool['fate'][]; // the keys of a Record of them

/** Stands in front of a model's provider until Ctrl-C, and says what a framework makes of the servers' tools. */
export async function observe(given: ObserveGiven, context: Context): Promise<number> {
  const { terminal, signal } = context;
  const upstream = upstreamOf(given);
  const call = playedCall(given);
  const { diff, json, port = 0 } = given;
  const tools: { server: string | undefined; tool: CatalogueTool }[] = [];
  const code = await eachServer(given, context, async (server, session) => {
    const listed = await session.listTools({ signal });
    tools.push(...listed.tools.map((tool) => ({ server: server.name, tool })));
    const { length: odd } = listed.skipped;
    if (odd > 0) terminal.note(`${counted(odd, 'tool')} that cannot be called: not compared.`);
    return exitCodes.success;
  });
  if (tools.length === 0) return code === exitCodes.success ? exitCodes.server : code;
  for (const name of [diff, call?.tool])
    if (name !== undefined && !tools.some(({ tool }) => tool.name === name))
      throw new UsageError(`There is no tool "${name}". There are ${tools.map(({ tool }) => tool.name).join(', ')}.`);
  const observation = new Observation(tools, {
    request: (request) => {
      if (!json) renderRequest(request, diff, terminal);
    },
    call: (made) => {
      if (!json) renderCall(made, terminal);
    },
  });
  await observeRequests(observation, {
    ...{ upstream, call, signal, note: terminal.note, port },
    onListening: (origin) => {
      const base = upstream ? `${origin}${upstream.pathname.replace(/\/$/, '')}` : `${origin}/v1`;
      terminal.note(`Base URL for your framework: ${terminal.paint.bold(base)}`);
      if (!upstream)
        terminal.note(`Where the framework appends the version itself (Anthropic, Gemini, Ollama): ${origin}`);
    },
  }).catch((error: unknown) => {
    const { syscall, code: reason = '' } = error as NodeJS.ErrnoException; // both are undefined for any other error
    if (syscall !== 'listen') throw error;
    throw new UsageError(`Nothing can listen at port ${port} (${reason}). Choose another --port.`);
  });
  if (json) printReport(reportOf(observation, diff), terminal);
  else renderSummary(observation, terminal);
  const failsOn = given['fail-on'] === undefined ? [] : failing[given['fail-on']];
  const fails = observation.tools.some(({ fate }) => failsOn.includes(fate));
  return fails ? Math.max(code, exitCodes.problem) : code;
}

function upstreamOf({ upstream, play }: ObserveGiven): URL | undefined {
  if (play && upstream !== undefined) throw new UsageError('Give either --upstream or --play, not both.');
  if (play) return undefined;
  if (upstream === undefined)
    throw new UsageError(
      "Which provider? Give its base URL with --upstream, or --play to answer in a provider's place.",
    );
  const url = URL.canParse(upstream) ? new URL(upstream) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError('--upstream takes an http or https URL.');
  if (url.username + url.password + url.search + url.hash !== '')
    throw new UsageError('--upstream takes a base URL alone: keys are sent by your framework.');
  return url;
}

const failing: Readonly<Record<'changed' | 'lost', readonly ObservedTool['fate'][]>> = {
  lost: ['lost'],
  changed: ['lost', 'meaning'],
};

function playedCall({ call, play, words: [word, ...more] }: ObserveGiven) {
  const stray = call === undefined ? word : more[0];
  if (stray !== undefined)
    throw new UsageError(`observe does not know what to do with "${stray}". Put the server command after --.`);
  if (call === undefined) return undefined;
  if (!play) throw new UsageError('--call only works with --play.');
  if (!isObject(parseJson(word ?? '{}')))
    throw new UsageError('--call TOOL JSON takes the arguments as one JSON object.');
  return { tool: call, arguments: word ?? '{}' };
}

function renderRequest({ format, tools, others }: ObservedRequest, diff: string | undefined, terminal: Terminal): void {
  const { paint, columns = 200 } = terminal;
  terminal.line(`${paint.bold(`A request to a model (${format})`)} ${sums(tools)}`);
  const rows = alike(tools).map((group) => {
    const names = group.map(nameOf).join(', ');
    return { cells: [words[group[0].fate], `${names}${inWords(group)}`] };
  });
  const paintFate = (text: string) => (/^(?:another|not)/.test(text) ? paint.red(text) : paint.green(text));
  for (const line of table(rows, columns, [{ atMost: 24 }], [paintFate])) terminal.line(line);
  if (others.length > 0)
    terminal.line(paint.dim(`  ${counted(others.length, 'tool')} of no server here: ${others.join(', ')}`));
  for (const line of diffOf(tools, diff)) {
    const colour = line.startsWith('-') ? paint.red : line.startsWith('+') ? paint.green : same;
    terminal.line(`  ${colour(line)}`);
  }
}

type Group = [ObservedTool, ...ObservedTool[]];

/** Tools that fare the same stand together, those that fare best first. */
function alike(tools: readonly ObservedTool[]): Group[] {
  const groups = new Map<string, Group>();
  for (const tool of tools.toSorted((one, other) => fates.indexOf(one.fate) - fates.indexOf(other.fate))) {
    const key = JSON.stringify([tool.fate, tool.changes]);
    const group = groups.get(key);
    if (group) group.push(tool);
    else groups.set(key, [tool]);
  }
  return [...groups.values()];
}

/** Changes that are told; `--diff` and `--json` have the others. */
const mostChanges = 3;

function inWords(group: Group): string {
  const [{ changes, fate }] = group;
  if (fate === 'identical' || fate === 'lost') return '';
  const first = changes.slice(0, mostChanges).join('; ');
  const more = changes.length > mostChanges ? `; ${changes.length - mostChanges} more` : '';
  const order = fate === 'reordered' ? 'the same in another order' : 'the same, written otherwise';
  const { original, sent } = tokensOf(group);
  return `: ${first === '' ? order : first}${more} (${original} → ${sent} tokens)`;
}

function renderCall({ verdict, repairs, message = '', asSent, ...call }: ObservedCall, terminal: Terminal): void {
  const { paint } = terminal;
  const name = nameOf({ ...call, name: call.tool, sentAs: [] });
  const why = asSent ? ' It is what the schema asks for that the model was sent.' : '';
  if (verdict === 'valid') terminal.line(`${paint.bold('A call of')} ${name}: ${paint.green('valid')}`);
  if (verdict === 'repaired')
    terminal.line(
      `${paint.bold('A call of')} ${name}: ${paint.yellow('a slip')}, repaired by ${repairs.join('; ')}.${why}`,
    );
  if (verdict === 'refused') {
    terminal.line(`${paint.bold('A call of')} ${name}: ${paint.red('refused')}.${why}`);
    for (const line of message.split('\n')) terminal.line(`  ${line}`);
  }
}

function renderSummary(observation: Observation, terminal: Terminal): void {
  const { counts, tools } = observation;
  terminal.line();
  if (counts.requests === 0) terminal.line('No request offered tools.');
  else terminal.line(`${counted(counts.requests, 'request')} with tools. ${sums(tools)}`);
  const lost = Object.entries(lostKeywords(tools)).sort(([, one], [, other]) => other - one);
  if (lost.length > 0)
    terminal.line(`Keywords lost: ${lost.map(([keyword, uses]) => `${keyword} ${uses}`).join(', ')}`);
  if (counts.calls > 0)
    terminal.line(
      `Of ${counted(counts.calls, 'call')}, ${counts.calls - counts.valid} broke the tool's schema; ${counts.repaired} would have been repaired.`,
    );
}

function reportOf({ tools, calls, counts }: Observation, diff: string | undefined): object {
  return {
    requests: counts.requests,
    tools: tools.map(({ schema: _, sentSchema: _sent, ...tool }) => tool),
    sums: Object.fromEntries(fates.map((fate) => [fate, tools.filter((tool) => tool.fate === fate).length])),
    tokens: tokensOf(tools),
    lostKeywords: lostKeywords(tools),
    calls: { all: counts.calls, valid: counts.valid, repaired: counts.repaired, refused: counts.refused, each: calls },
    ...(diff !== undefined && { diff: diffOf(tools, diff) }),
  };
}

function sums(tools: readonly ObservedTool[]): string {
  const parts = fates.flatMap((fate) => {
    const { length } = tools.filter((tool) => tool.fate === fate);
    return length === 0 ? [] : [`${length} ${words[fate]}`];
  });
  const { original, sent } = tokensOf(tools);
  return `Of ${counted(tools.length, 'tool')}: ${parts.join(', ')}. About ${original} tokens as they are, ${sent} as sent.`;
}

/** Of the tools that were sent, as their servers wrote them and as they were sent. */
function tokensOf(tools: readonly ObservedTool[]): { original: number; sent: number } {
  const sent = tools.filter(({ tokens }) => tokens.sent !== undefined);
  return {
    original: sent.reduce((sum, { tokens }) => sum + tokens.original, 0),
    sent: sent.reduce((sum, { tokens }) => sum + (tokens.sent ?? 0), 0),
  };
}

function lostKeywords(tools: readonly ObservedTool[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const { lostKeywords: lost } of tools)
    for (const [keyword, uses] of Object.entries(lost)) all[keyword] = (all[keyword] ?? 0) + uses;
  return all;
}

function diffOf(tools: readonly ObservedTool[], name: string | undefined): string[] {
  return tools
    .filter((tool) => tool.name === name && tool.sentSchema !== undefined)
    .flatMap(({ schema, sentSchema = '' }) => lineDiff(indentedJson(schema), indentedJson(sentSchema)));
}

function nameOf({
  name,
  server,
  sentAs,
}: Pick<ObservedTool, 'name' | 'sentAs'> & { server?: string | undefined }): string {
  const own = server === undefined ? name : `${server}/${name}`;
  const others = sentAs.filter((sent) => sent !== name);
  return others.length === 0 ? own : `${own} (sent as ${others.join(', ')})`;
}

function same(text: string): string {
  return text;
}
