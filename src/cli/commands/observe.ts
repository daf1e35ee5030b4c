import type { CatalogueTool } from '../../internal.js';
import { diffArrays } from 'diff';
import { counted, grouped, isObject, parseJson } from '../../json/index.js';
import { Observation, observe as observeRequests } from '../../observe/index.js';
import type { ObservedCall, ObservedRequest, ObservedTool } from '../../observe/index.js';
import { command, exitCodes, flag, listening, oneOf, portOption, serverOptions, text, UsageError } from '../command.js';
import type { Given } from '../command.js';
import { eachServer } from '../servers/sessions.js';
import { indentedJson, printReport, type Terminal } from '../terminal/terminal.js';
import { printTable } from '../terminal/text.js';

const options = {
  ...serverOptions,
  upstream: text('URL', "the provider's base URL, as your framework has it now"),
  play: flag('answer here, without provider or key: a fixed text'),
  call: text('TOOL', 'with --play: first answer with a call of TOOL; its arguments are JSON'),
  diff: text('TOOL', 'show both schemas of TOOL, line by line'),
  port: portOption('listen on this port of 127.0.0.1; a free one by default'),
  'fail-on': oneOf(
    ['changed', 'lost'],
    'WORD',
    'exit with 1 if a tool was not sent (lost), or also if its meaning changed (changed)',
  ),
  json: flag('print one report as JSON at the end'),
};

export const observe = command({
  operands: [{ form: '[JSON]' }],
  about:
    "Shows what a framework sends to the model. It is a proxy in front of the model's provider, on this machine only: give your framework the base URL that is printed. Requests and answers pass unchanged. Each tool in a request is compared with the tool of the server, and each call of the model is checked with the original schema. Ctrl-C ends it and prints a summary. Formats: OpenAI chat completions and responses, Anthropic messages, Gemini, Ollama.",
  options,
  examples: [
    'observe --upstream https://api.openai.com/v1 --config mcp.json',
    'observe --play --call get-sum \'{"a": "1"}\' --fail-on changed --config mcp.json',
  ],
  async run(given, context) {
    const { terminal, signal } = context;
    const upstream = upstreamOf(given);
    const call = playedCall(given);
    const { diff, json, port = 0 } = given;
    const ofServers: { server: string | undefined; tool: CatalogueTool }[][] = [];
    const code = await eachServer(given, context, async ({ server, session, index }) => {
      const listed = await session.listTools({ signal });
      ofServers[index] = listed.tools.map((tool) => ({ server: server.name, tool }));
      const { length: skipped } = listed.skipped;
      if (skipped > 0) terminal.note(`${counted(skipped, 'tool')} skipped, so not compared.`);
      return exitCodes.success;
    });
    const tools = ofServers.flat();
    if (tools.length === 0) return code === exitCodes.success ? exitCodes.server : code;
    for (const name of [diff, call?.tool])
      if (name !== undefined && !tools.some(({ tool }) => tool.name === name))
        throw new UsageError(`There is no tool "${name}". There are ${tools.map(({ tool }) => tool.name).join(', ')}.`);
    const printed = {
      request: (request: ObservedRequest) => printRequest(request, diff, terminal),
      call: (made: ObservedCall) => printCall(made, terminal),
    };
    const observation = new Observation(tools, json ? undefined : printed);
    const observing = observeRequests(observation, {
      ...{ upstream, call, signal, note: terminal.note, port },
      onListening: (origin) => {
        const base = upstream ? `${origin}${upstream.pathname.replace(/\/$/, '')}` : `${origin}/v1`;
        terminal.note(`Base URL for your framework: ${terminal.paint.bold(base)}`);
        if (!upstream) terminal.note(`If the framework appends the version (Anthropic, Gemini, Ollama): ${origin}`);
      },
    });
    await listening(observing, `port ${port}`, '--port');
    if (json) printReport(reportOf(observation, diff), terminal);
    else printSummary(observation, terminal);
    const failsFrom = fates.indexOf(given['fail-on'] === 'lost' ? 'lost' : 'meaning');
    const fails = given['fail-on'] && observation.tools.some(({ fate }) => fates.indexOf(fate) >= failsFrom);
    return fails ? Math.max(code, exitCodes.problem) : code;
  },
});

function upstreamOf({ upstream, play }: Given<typeof options>): URL | undefined {
  if (play && upstream !== undefined) throw new UsageError('Give either --upstream or --play, not both.');
  if (play) return undefined;
  const advice = "Give its base URL with --upstream, or --play to answer in a provider's place.";
  if (upstream === undefined) throw new UsageError(`Which provider? ${advice}`);
  const url = URL.canParse(upstream) ? new URL(upstream) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError('--upstream takes an http or https URL.');
  if (url.username + url.password + url.search + url.hash !== '')
    throw new UsageError('--upstream takes only a base URL: your framework sends the key.');
  return url;
}

type Fate = ObservedTool['fate'];

function playedCall({ call, play, words: [word, ...more] }: Given<typeof options>) {
  const extra = call === undefined ? word : more[0];
  if (extra !== undefined)
    throw new UsageError(`observe does not take the argument "${extra}". Put the server command after --.`);
  if (call === undefined) return undefined;
  if (!play) throw new UsageError('--call only works with --play.');
  if (!isObject(parseJson(word ?? '{}')))
    throw new UsageError('--call TOOL JSON takes the arguments as one JSON object.');
  return { tool: call, arguments: word ?? '{}' };
}

const fateTexts: Readonly<Record<Fate, string>> = {
  identical: 'identical',
  reordered: 'keys reordered',
  annotations: 'only annotations changed',
  meaning: 'changed in meaning',
  lost: 'not sent',
};

/** The best first. */
const fates = Object.keys(fateTexts) as Fate[]; // the keys of a Record of them

function printRequest({ format, tools, others }: ObservedRequest, diff: string | undefined, terminal: Terminal): void {
  const { line, paint } = terminal;
  line(`${paint.bold(`A request to a model (${format})`)} ${sums(tools)}`);
  const best = tools.toSorted((one, other) => fates.indexOf(one.fate) - fates.indexOf(other.fate));
  const alike = grouped(best, ({ fate, changes }) => JSON.stringify([fate, changes]));
  const rows = [...alike.values()].map((group) => ({
    cells: [fateTexts[group[0].fate], `${group.map(nameOf).join(', ')}${changesIn(group)}`],
  }));
  const paintFate = (text: string) => (/^(?:changed|not)/.test(text) ? paint.red(text) : paint.green(text));
  printTable(rows, [{ atMost: 24, paint: paintFate }], terminal);
  if (others.length > 0) line(paint.dim(`  ${counted(others.length, 'tool')} of other origin: ${others.join(', ')}`));
  for (const each of diffOf(tools, diff))
    line(`  ${each.startsWith('-') ? paint.red(each) : each.startsWith('+') ? paint.green(each) : each}`);
}

const mostChanges = 3;

function changesIn(group: [ObservedTool, ...ObservedTool[]]): string {
  const [{ changes, fate }] = group;
  if (fate === 'identical' || fate === 'lost') return '';
  const same = fate === 'reordered' ? 'the same in another order' : 'the same, written differently';
  const more = changes.length > mostChanges ? [`${changes.length - mostChanges} more`] : [];
  const shown = changes.length === 0 ? [same] : [...changes.slice(0, mostChanges), ...more];
  const { original, sent } = tokensOf(group);
  return `: ${shown.join('; ')} (${original} → ${sent} tokens)`;
}

function printCall({ verdict, repairs, message = '', asSent, tool, server }: ObservedCall, terminal: Terminal): void {
  const { line, paint } = terminal;
  const found = {
    valid: paint.green('valid'),
    repaired: `${paint.yellow('malformed')}, would be repaired: ${repairs.join('; ')}.`,
    refused: `${paint.red('refused')}.`,
  };
  const why = asSent ? ' It satisfies the schema that the framework sent.' : '';
  line(`${paint.bold('A call of')} ${nameOf({ name: tool, server, sentAs: [] })}: ${found[verdict]}${why}`);
  if (verdict === 'refused') for (const each of message.split('\n')) line(`  ${each}`);
}

function printSummary({ counts: { requests, calls, valid, repaired }, tools }: Observation, { line }: Terminal): void {
  line();
  line(requests === 0 ? 'No request had tools.' : `${counted(requests, 'request')} with tools. ${sums(tools)}`);
  if (calls === 0) return;
  const invalid = `${calls - valid} violated the tool's schema; ${repaired} would have been repaired.`;
  line(`Of ${counted(calls, 'call')}, ${invalid}`);
}

function reportOf({ tools, calls, counts }: Observation, diff: string | undefined): object {
  const { requests, calls: all, ...verdicts } = counts;
  return {
    requests,
    tools: tools.map(({ schema: _, sentSchema: _sent, ...tool }) => tool),
    sums: Object.fromEntries(fates.map((fate) => [fate, countOf(fate, tools)])),
    tokens: tokensOf(tools),
    calls: { all, ...verdicts, each: calls },
    ...(diff !== undefined && { diff: diffOf(tools, diff) }),
  };
}

function sums(tools: readonly ObservedTool[]): string {
  const found = fates.filter((fate) => countOf(fate, tools) > 0);
  const parts = found.map((fate) => `${countOf(fate, tools)} ${fateTexts[fate]}`);
  const { original, sent } = tokensOf(tools);
  return `Of ${counted(tools.length, 'tool')}: ${parts.join(', ')}. About ${original} tokens as the server wrote them, ${sent} as sent to the model.`;
}

function countOf(fate: Fate, tools: readonly ObservedTool[]): number {
  return tools.filter((tool) => tool.fate === fate).length;
}

function tokensOf(tools: readonly ObservedTool[]): { original: number; sent: number } {
  const sent = tools.filter(({ tokens }) => tokens.sent !== undefined);
  const sum = (which: 'original' | 'sent') => sent.reduce((all, { tokens }) => all + (tokens[which] ?? 0), 0);
  return { original: sum('original'), sent: sum('sent') };
}

/** The most changed lines that are searched for; beyond them, all old lines go and all new lines come. */
const mostChangedLines = 4000;

/** Both schemas line by line: `  ` before a line that both have, `- ` before one of the server's, `+ ` before one that was sent. */
function diffOf(tools: readonly ObservedTool[], name: string | undefined): string[] {
  return tools.flatMap((tool) => {
    if (tool.name !== name || tool.sentSchema === undefined) return [];
    const before = indentedJson(tool.schema).split('\n');
    const after = indentedJson(tool.sentSchema).split('\n');
    const all = [before.map((line) => `- ${line}`), after.map((line) => `+ ${line}`)].flat();
    const parts = diffArrays(before, after, { maxEditLength: mostChangedLines });
    const signOf = ({ removed, added }: { removed: boolean; added: boolean }) => (removed ? '-' : added ? '+' : ' ');
    return parts?.flatMap((part) => part.value.map((line) => `${signOf(part)} ${line}`)) ?? all;
  });
}

function nameOf({ name, server, sentAs }: Pick<ObservedTool, 'name' | 'server' | 'sentAs'>): string {
  const own = server === undefined ? name : `${server}/${name}`;
  const others = sentAs.filter((sent) => sent !== name);
  return others.length === 0 ? own : `${own} (sent as ${others.join(', ')})`;
}
