import { definitionText, modelTools, signature, toolTokens } from '../../internal.js';
import type { Catalogue, CatalogueTool, Session, SkippedTool } from '../../internal.js';
import { jsonText, valueAt } from '../../json/index.js';
import { command, exitCodes, flag, serverOptions, text, UsageError } from '../command.js';
import { eachServer, type Listed, printListing } from '../servers/sessions.js';
import { findTool, readTools, toolCounts } from '../servers/tools.js';
import { printJson, printReport, type Terminal } from '../terminal/terminal.js';
import { cut, oneLine, printTable } from '../terminal/text.js';

export const list = command({
  about:
    "Lists the tools of the server with a compact signature and notes about them, then the tools that were skipped, with the reason. In a pipe it prints one line per tool: name, signature and notes, separated by tabs; with several servers the server's name comes first.",
  options: {
    ...serverOptions,
    json: flag('print the tool objects exactly as the server wrote them'),
    schema: text('TOOL', 'print only the input schema of TOOL, exactly as the server wrote it'),
    watch: flag('list again when the server announces a change, until Ctrl-C; what changed goes to stderr'),
    tokens: flag('print about how many tokens each tool takes in the model (characters / 4), and all of them'),
  },
  examples: [
    'list -- npx -y @modelcontextprotocol/server-everything',
    'list --url https://example.com/mcp --json > tools.json',
    'list --schema search -- node server.js | jq .properties',
  ],
  async run(given, context) {
    const { signal } = context;
    if (given.tokens && given.schema !== undefined)
      throw new UsageError('--schema only works with a list without --tokens.');
    return eachServer(given, context, async (visit) => {
      const { server, session, several, terminal } = visit;
      if (given.watch && several) throw new UsageError('--watch is for one server. Choose it with --server.');
      const owner = several ? server.name : undefined;
      for (let before: Catalogue | undefined; ;) {
        // Listens before it reads the list, so that no change is missed.
        const changed = given.watch ? nextChange(session, signal) : undefined;
        const { catalogue, failure } = await readTools(session, context);
        if (before) noteChanges(before, catalogue, terminal);
        if (given.schema !== undefined) {
          const { text, inputSchema } = findTool(catalogue, given.schema);
          printJson(text?.inputSchema ?? jsonText(inputSchema), terminal);
        } else if (given.tokens) printTokens(catalogue, owner, given.json, terminal);
        else if (given.json) printJson(definitionsText(catalogue, owner), terminal);
        else {
          const rows = catalogue.tools.map((tool) => listed(tool, terminal));
          printListing([rows], toolCounts(catalogue), visit);
          printSkipped(catalogue.skipped, owner, terminal);
        }
        if (failure) throw failure;
        if (!changed) return exitCodes.success;
        before = catalogue;
        await changed;
      }
    });
  },
});

function nextChange(session: Session, signal: AbortSignal): Promise<void> {
  if (valueAt(session.capabilities, '/tools/listChanged') !== true)
    throw new UsageError('The server does not announce changes of its tools, so --watch has nothing to wait for.');
  const over = new AbortController();
  const change = new Promise<void>((resolve, reject) => {
    const listening = [
      session.onNotification((method) => {
        if (method === 'notifications/tools/list_changed') resolve();
      }),
      session.onEnd(() => reject(new Error('The server has ended.'))),
    ];
    signal.addEventListener('abort', () => reject(new Error('Interrupted.')), { signal: over.signal });
    over.signal.addEventListener('abort', () => listening.forEach((stop) => stop()));
  }).finally(() => over.abort());
  // If the list cannot be read, nobody awaits it.
  change.catch(() => undefined);
  return change;
}

function noteChanges(before: Catalogue, now: Catalogue, terminal: Terminal): void {
  const texts = new Map(before.tools.map((tool) => [tool.name, definitionText(tool)]));
  const changes = {
    new: now.tools.filter(({ name }) => !texts.has(name)),
    gone: before.tools.filter(({ name }) => !now.find(name)),
    changed: now.tools.filter((tool) => texts.has(tool.name) && texts.get(tool.name) !== definitionText(tool)),
  };
  if (terminal.columns !== undefined) terminal.line();
  for (const [what, tools] of Object.entries(changes))
    if (tools.length > 0) terminal.note(`${what}: ${tools.map(({ name }) => name).join(', ')}`);
}

/** With several servers, one line for each. JSON text has line breaks only between two tokens, never within one. */
function definitionsText({ tools }: Catalogue, server: string | undefined): string {
  const all = `[${tools.map(definitionText).join(',')}]`;
  return server === undefined ? all : `{"server":${jsonText(server)},"tools":${all.replace(/[\r\n]+/g, ' ')}}`;
}

function printTokens({ tools }: Catalogue, server: string | undefined, json: boolean, terminal: Terminal): void {
  const models = modelTools(tools);
  const each = models
    .map((tool) => ({ name: tool.tool.name, tokens: toolTokens([tool]) }))
    .sort((one, other) => other.tokens - one.tokens);
  const total = toolTokens(models);
  if (json) {
    printReport({ ...(server !== undefined && { server }), tokens: total, tools: each }, terminal);
    return;
  }
  for (const { name, tokens } of [...each, { name: `all ${tools.length} tools`, tokens: total }]) {
    const cells = terminal.columns === undefined ? [String(tokens), name] : [`${String(tokens).padStart(8)}  ${name}`];
    terminal.row([...(server === undefined ? [] : [server]), ...cells]);
  }
}

function listed(tool: CatalogueTool, { paint }: Terminal): Listed {
  const { name, notes } = tool;
  return {
    fields: [name, signature(tool), notes.map(({ code }) => code).join(' ')],
    cells: [name, signature(tool) || '(no arguments)'],
    below: [
      { text: firstSentence(tool), paint: paint.dim },
      ...notes.map(({ message }) => ({ text: `note: ${message}`, paint: paint.yellow })),
    ],
  };
}

function printSkipped(skipped: readonly SkippedTool[], server: string | undefined, terminal: Terminal): void {
  const { columns, line, note, paint } = terminal;
  const rows = skipped.map(({ name, position, reason }) => ({
    cells: [name ?? `tool ${position + 1}`, reason.message],
  }));
  if (columns === undefined)
    for (const { cells } of rows) note(['skipped', ...(server === undefined ? [] : [server]), ...cells].join(': '));
  else if (rows.length > 0) {
    line();
    line(paint.bold('Skipped'));
    printTable(rows, [{ atMost: 0.35, paint: paint.red }], terminal);
  }
}

function firstSentence({ title, description }: CatalogueTool): string {
  const text = oneLine(description ?? title ?? '');
  const end = text.search(/[.!?](?:\s|$)/);
  return cut(end < 0 ? text : text.slice(0, end + 1), 160);
}
