import { IncompleteListError, signature } from '../../internal.js';
import type { Catalogue, CatalogueTool, Session, SkippedTool } from '../../internal.js';
import { counted, isObject, jsonText, namesNear } from '../../json/index.js';
import { rememberTools } from '../candidates.js';
import type { ListGiven } from '../usage/list.js';
import type { NamedServer } from '../servers/choose.js';
import { eachServer, headline } from '../servers/sessions.js';
import { exitCodes, UsageError } from '../exit.js';
import { printJson } from '../terminal/json.js';
import type { Context } from '../context.js';
import { renderTokens } from './tokens.js';
import { table } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import { cut, oneLine } from '../terminal/text.js';

/** The tools of one or several servers; a server that fails does not keep the others from being listed. */
export async function list(given: ListGiven, context: Context): Promise<number> {
  if (given.tokens && given.schema !== undefined)
    throw new UsageError('--schema only works with a list without --tokens.');
  const names: string[] = [];
  return eachServer(given, context, async (server, session, several) => {
    if (given.watch && several) throw new UsageError('--watch is for one server. Choose it with --server.');
    for (let before: Catalogue | undefined; ;) {
      // From before the list is read, so that no change is missed.
      const changed = given.watch ? nextChange(session, context.signal) : undefined;
      const { catalogue, failure } = await readTools(session, context);
      if (before) {
        noteChanges(before, catalogue, context.terminal);
        names.length = 0;
      }
      names.push(...catalogue.tools.map(({ name }) => name));
      rememberTools(names, context.env);
      render({ server, session, catalogue, several }, given, context.terminal);
      if (failure) throw failure;
      if (!changed) return exitCodes.success;
      before = catalogue;
      await changed;
    }
  });
}

/** How often it is looked whether the server is still there: nobody says so. */
const lookEveryMs = 250;

/**
 * Resolves when the server says that its tools changed.
 *
 * @throws ConnectionError where the server has ended, Error where the person has
 */
function nextChange(session: Session, signal: AbortSignal): Promise<void> {
  if (!isObject(session.capabilities['tools']) || session.capabilities['tools']['listChanged'] !== true)
    throw new UsageError('The server does not say when its tools change, so there is nothing to watch.');
  const change = new Promise<void>((resolve, reject) => {
    const forget = session.onNotification((method) => {
      if (method === 'notifications/tools/list_changed') end(resolve);
    });
    const timer = setInterval(() => {
      if (session.ended) end(() => reject(new Error('The server has ended.')));
    }, lookEveryMs);
    const interrupted = () => {
      end(() => reject(new Error('Interrupted.')));
    };
    signal.addEventListener('abort', interrupted);
    function end(how: () => void): void {
      forget();
      clearInterval(timer);
      signal.removeEventListener('abort', interrupted);
      how();
    }
  });
  // Where the list cannot be read nobody waits for it any more.
  change.catch(() => {});
  return change;
}

function noteChanges(before: Catalogue, now: Catalogue, terminal: Terminal): void {
  const namesIn = ({ tools }: Catalogue) => tools.map(({ name }) => name);
  const textIn = (catalogue: Catalogue, name: string) => {
    const tool = catalogue.find(name);
    return tool && definitionText(tool);
  };
  const changes = {
    new: namesIn(now).filter((name) => !before.find(name)),
    gone: namesIn(before).filter((name) => !now.find(name)),
    changed: namesIn(now).filter((name) => before.find(name) && textIn(before, name) !== textIn(now, name)),
  };
  if (terminal.columns !== undefined) terminal.line();
  for (const [what, names] of Object.entries(changes))
    if (names.length > 0) terminal.note(`${what}: ${names.join(', ')}`);
}

interface Listing {
  server: NamedServer;
  session: Session;
  catalogue: Catalogue;
  /** Whether other servers are listed as well, so that a line has to say whose it is. */
  several: boolean;
}

function render({ server, session, catalogue, several }: Listing, given: ListGiven, terminal: Terminal): void {
  const { json, schema, tokens } = given;
  if (schema !== undefined) {
    const { text, inputSchema } = findTool(catalogue, schema);
    printJson(text?.inputSchema ?? jsonText(inputSchema), terminal);
    return;
  }
  if (tokens) {
    renderTokens(catalogue, several ? server.name : undefined, given, terminal);
    return;
  }
  if (json) {
    const tools = `[${catalogue.tools.map(definitionText).join(',')}]`;
    // One line for each of several servers: a line break stands between two tokens, never within one.
    const line = `{"server":${jsonText(server.name)},"tools":${tools.replace(/[\r\n]+/g, ' ')}}`;
    printJson(several ? line : tools, terminal);
    return;
  }
  if (terminal.columns === undefined) {
    renderPlain(catalogue, several ? server.name : undefined, terminal);
    return;
  }
  terminal.line(headline(server, session, toolCounts(catalogue), terminal));
  terminal.line();
  renderTools(catalogue.tools, terminal, terminal.columns);
  renderSkipped(catalogue.skipped, terminal, terminal.columns);
}

/** The tools as far as they can be read, and why not to the end of the list. */
async function readTools(session: Session, { signal }: Context): Promise<{ catalogue: Catalogue; failure?: Error }> {
  try {
    return { catalogue: await session.listTools({ signal }) };
  } catch (error) {
    if (!(error instanceof IncompleteListError)) throw error;
    return { catalogue: error.partial as Catalogue, failure: error }; // of tools, it is one
  }
}

/**
 * One tool of a server, whatever becomes of the list behind it.
 *
 * @throws what kept the list from being read to its end, UsageError as `findTool`
 */
export async function toolOf(session: Session, name: string, context: Context): Promise<CatalogueTool> {
  const { catalogue, failure } = await readTools(session, context);
  if (failure && !catalogue.find(name)) throw failure;
  return findTool(catalogue, name);
}

/** @throws UsageError that says why the tool cannot be called, or which names come close */
export function findTool(catalogue: Catalogue, name: string): CatalogueTool {
  const tool = catalogue.find(name);
  if (tool) return tool;
  const aside = catalogue.skipped.find((candidate) => candidate.name === name);
  if (aside) throw new UsageError(`"${name}" was set aside: ${aside.reason.message}`);
  const names = catalogue.tools.map((candidate) => candidate.name);
  // Somebody may type a name of any length, and the server have others like it. Those of MCP have 128 characters at most.
  const wanted = name.slice(0, 128);
  const near = namesNear(wanted, names, Math.max(2, Math.floor(wanted.length / 3))).slice(0, 3);
  const advice = near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'See mcp-verbatim list.';
  throw new UsageError(`The server has no tool "${name}". ${advice}`);
}

/** The tool as its server wrote it. */
export function definitionText({ text, definition }: CatalogueTool): string {
  return text?.definition ?? jsonText(definition);
}

/** One line per tool, for grep, cut and awk. */
function renderPlain({ tools, skipped }: Catalogue, server: string | undefined, terminal: Terminal): void {
  const first = server === undefined ? [] : [server];
  for (const tool of tools)
    terminal.row([...first, tool.name, signature(tool), tool.notes.map(({ code }) => code).join(' ')]);
  for (const { name, position, reason } of skipped)
    terminal.note(`set aside: ${[...first, nameOf(name, position)].join(': ')}: ${reason.message}`);
}

/** "13 tools", and how many are rejected. */
export function toolCounts({ tools, skipped }: Catalogue): string[] {
  return [counted(tools.length, 'tool'), ...(skipped.length > 0 ? [`${skipped.length} set aside`] : [])];
}

function renderTools(tools: readonly CatalogueTool[], terminal: Terminal, columns: number): void {
  const { paint } = terminal;
  const rows = tools.map((tool) => ({
    cells: [tool.name, signature(tool) || '(no arguments)'],
    below: [
      { text: firstSentence(tool), paint: paint.dim },
      ...tool.notes.map(({ message }) => ({ text: `note: ${message}`, paint: paint.yellow })),
    ].filter(({ text }) => text !== ''),
  }));
  for (const line of table(rows, columns, [{ atMost: Math.floor(columns * 0.35) }], [paint.cyan])) terminal.line(line);
}

function renderSkipped(skipped: readonly SkippedTool[], terminal: Terminal, columns: number): void {
  if (skipped.length === 0) return;
  const { paint } = terminal;
  terminal.line();
  terminal.line(paint.bold('Set aside'));
  const rows = skipped.map(({ name, position, reason }) => ({
    cells: [nameOf(name, position), reason.message],
  }));
  for (const line of table(rows, columns, [{ atMost: Math.floor(columns * 0.35) }], [paint.red])) terminal.line(line);
}

function nameOf(name: string | undefined, position: number): string {
  return name === undefined ? `tool ${position + 1}` : name;
}

/** Enough to recognise a tool by; `show` has the whole description. */
function firstSentence({ title, description }: CatalogueTool): string {
  const text = oneLine(description ?? title ?? '');
  const end = text.search(/[.!?](?:\s|$)/);
  return cut(end < 0 ? text : text.slice(0, end + 1), 160);
}
