import { compileSchema, providerNotes } from '../../index.js';
import type { Catalogue, CatalogueTool, Provider, ProviderNote } from '../../index.js';
import { jsonText } from '../../json/index.js';
import type { Command } from '../arguments.js';
import type { Context } from '../context.js';
import { exitCodes, UsageError } from '../exit.js';
import type { NamedServer } from '../servers/choose.js';
import { eachServer } from '../servers/sessions.js';
import { printJson } from '../terminal/json.js';
import { table } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import { oneLine, wrap } from '../terminal/text.js';
import { headline } from './list.js';

/** What is found of one tool: by the schema itself, or by what one provider makes of it. */
interface Finding {
  subject: Subject;
  tool: string;
  /** `broken`: does not do what its author meant; `note`: worth knowing, and no reason to fail. */
  severity: 'refused' | 'broken' | 'lossy' | 'note';
  what: string;
  location?: string;
}

type Subject = 'schema' | Provider;

const subjects: readonly Subject[] = ['schema', 'openai', 'anthropic', 'google', 'cohere'];

/** What is wrong in a server's schemas, and what providers would lose or refuse; exit code 1 where there is anything. */
export async function check(command: Command, context: Context): Promise<number> {
  const { only } = command;
  const unknown = only.find((name) => !subjects.some((subject) => subject === name));
  if (unknown !== undefined) throw new UsageError(`--only: "${unknown}" is not known. Known: ${subjects.join(', ')}.`);
  const chosen = subjects.filter((subject) => only.length === 0 || only.includes(subject));
  return eachServer(command, context, async (server, session) => {
    const catalogue = await session.listTools({ signal: context.signal });
    const findings = chosen.flatMap((subject) => catalogue.tools.flatMap((tool) => findingsOn(tool, subject)));
    if (command.json) printJson(jsonText(asJson(server, catalogue, chosen, findings)), context.terminal);
    else {
      context.terminal.line(headline(server, session, catalogue, context.terminal));
      render(catalogue, chosen, findings, context.terminal);
    }
    const passes = catalogue.setAside.length === 0 && findings.every(({ severity }) => severity === 'note');
    return passes ? exitCodes.success : exitCodes.problem;
  });
}

function findingsOn(tool: CatalogueTool, subject: Subject): Finding[] {
  if (subject === 'schema')
    return compileSchema(tool.inputSchema).diagnostics.map(({ severity, message, schemaLocation }) => ({
      subject,
      tool: tool.name,
      severity: severity === 'error' ? 'broken' : 'note',
      what: message,
      location: schemaLocation,
    }));
  return providerNotes(tool, subject).map((note) => ({
    subject,
    tool: tool.name,
    severity: severityOf(note),
    what: note.message,
    location: note.schemaLocation,
  }));
}

/** Without `$schema` a model is told nothing less. */
function severityOf({ effect, schemaLocation }: ProviderNote): Finding['severity'] {
  if (effect !== 'changed') return 'refused';
  return schemaLocation.endsWith('/$schema') ? 'note' : 'lossy';
}

function asJson(
  { name }: NamedServer,
  { tools, setAside }: Catalogue,
  checked: readonly Subject[],
  findings: readonly Finding[],
): object {
  const aside = setAside.map(({ name: tool, position, reason }) => ({ tool, position, reason }));
  return { server: name, tools: tools.length, checked, setAside: aside, findings };
}

function render(
  { tools, setAside }: Catalogue,
  checked: readonly Subject[],
  findings: readonly Finding[],
  terminal: Terminal,
): void {
  const { paint, columns = 200 } = terminal;
  terminal.line();
  const summary = checked.map((subject) => {
    const own = findings.filter((finding) => finding.subject === subject);
    return { cells: [subject, summarise(own, tools.length)] };
  });
  for (const line of table(summary, columns, [{ atMost: 40 }], [paint.cyan])) terminal.line(line);

  for (const { names, findings: shared } of alike(
    tools.map(({ name }) => name),
    findings,
  )) {
    terminal.line();
    const heading =
      names.length === tools.length && names.length > 1 ? `all ${names.length} tools` : names.map(oneLine).join(', ');
    for (const line of wrap(heading, columns)) terminal.line(paint.bold(line));
    const rows = shared.map(({ subject, severity, what }) => ({ cells: [subject, severity, oneLine(what)] }));
    for (const line of table(rows, columns, [{ atMost: 26 }, { atMost: 8 }], [paint.cyan, severityPaint(paint)]))
      terminal.line(line);
  }
  if (setAside.length === 0) return;
  terminal.line();
  terminal.line(paint.bold('Set aside (cannot be called)'));
  const aside = setAside.map(({ name, position, reason }) => ({
    cells: [oneLine(name ?? `tool ${position + 1}`), oneLine(reason.message)],
  }));
  for (const line of table(aside, columns, [{ atMost: 40 }], [paint.red])) terminal.line(line);
}

/** Tools that fare the same stand together. */
function alike(names: readonly string[], findings: readonly Finding[]): { names: string[]; findings: Finding[] }[] {
  const groups = new Map<string, { names: string[]; findings: Finding[] }>();
  for (const name of names) {
    const own = findings.filter(({ tool, severity }) => tool === name && severity !== 'note');
    const key = JSON.stringify(own.map(({ subject, severity, what }) => [subject, severity, what]));
    const group = groups.get(key);
    if (group) group.names.push(name);
    else if (own.length > 0) groups.set(key, { names: [name], findings: own });
  }
  return [...groups.values()];
}

function severityPaint(paint: Terminal['paint']): (text: string) => string {
  return (text) => (text === 'refused' || text === 'broken' ? paint.red(text) : paint.yellow(text));
}

const order: readonly Finding['severity'][] = ['refused', 'broken', 'lossy', 'note'];

function summarise(findings: readonly Finding[], tools: number): string {
  // A tool may have several findings; the worst one counts.
  const worst = new Map<string, Finding['severity']>();
  for (const { tool, severity } of findings) {
    const known = worst.get(tool);
    if (known === undefined || order.indexOf(severity) < order.indexOf(known)) worst.set(tool, severity);
  }
  const count = (severity: Finding['severity']) => [...worst.values()].filter((each) => each === severity).length;
  const counts = (
    [
      ['refused', 'refused'],
      ['broken', 'broken'],
      ['lossy', 'lossy'],
      ['note', 'with notes'],
    ] as const
  )
    .map(([severity, words]) => ({ tools: count(severity), words }))
    .filter((each) => each.tools > 0);
  if (counts.length === 0) return `no problems found in ${tools} tools`;
  return counts.map((each, index) => `${each.tools}${index === 0 ? ` of ${tools}` : ''} ${each.words}`).join(', ');
}
