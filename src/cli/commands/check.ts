import type { Catalogue } from '../../index.js';
import type { Command } from '../arguments.js';
import { checkTools, isAvailable, knownConsumers } from '../check/findings.js';
import type { Check, Finding } from '../check/findings.js';
import type { NamedServer } from '../servers/choose.js';
import { eachServer } from '../servers/sessions.js';
import { exitCodes, UsageError } from '../exit.js';
import { printJson } from '../terminal/json.js';
import type { Context } from '../context.js';
import { oneLine } from '../terminal/text.js';
import { table } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import { wrap } from '../terminal/text.js';
import { headline } from './list.js';

/** What others would lose or refuse of a server's tools; exit code 1 where there is anything. */
export async function check(command: Command, context: Context): Promise<number> {
  const { only } = command;
  const missing = only.find((id) => !isAvailable(id, context.cwd));
  if (missing !== undefined)
    throw new UsageError(
      `--only: "${missing}" is no consumer that is built in or installed beside the current folder. Known: ${knownConsumers.join(', ')}.`,
    );
  return eachServer(command, context, async (server, session) => {
    const catalogue = await session.listTools({ signal: context.signal });
    const result = await checkTools(catalogue.tools, context.cwd, only);
    if (command.json) printJson(asJson(server, catalogue, result), context.terminal);
    else {
      context.terminal.line(headline(server, session, catalogue, context.terminal));
      render(catalogue, result, context.terminal);
    }
    return passes(catalogue, result, only.length > 0) ? exitCodes.success : exitCodes.problem;
  });
}

/** A consumer that was asked for and could not be asked is no success. */
function passes({ setAside }: Catalogue, { consumers, findings }: Check, isChosen: boolean): boolean {
  const isChecked = !isChosen || consumers.every(({ unchecked }) => unchecked === undefined);
  return isChecked && setAside.length === 0 && findings.every(({ severity }) => severity === 'cosmetic');
}

function asJson({ name }: NamedServer, { tools, setAside }: Catalogue, { consumers, findings }: Check): object {
  const aside = setAside.map(({ name: tool, position, reason }) => ({ tool, position, reason }));
  return { server: name, tools: tools.length, consumers, setAside: aside, findings };
}

function render({ tools, setAside }: Catalogue, { consumers, findings }: Check, terminal: Terminal): void {
  const { paint, columns = 200 } = terminal;
  terminal.line();
  const summary = consumers.map(({ id, version, unchecked }) => {
    const own = findings.filter(({ consumer }) => consumer === id);
    const result = unchecked === undefined ? summarise(own, tools.length) : `not checked: ${oneLine(unchecked)}`;
    return { cells: [version === undefined ? id : `${id} ${version}`, result] };
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
    const rows = shared.map(({ consumer, severity, what }) => ({ cells: [consumer, severity, oneLine(what)] }));
    for (const line of table(rows, columns, [{ atMost: 26 }, { atMost: 8 }], [paint.cyan, severityPaint(paint)]))
      terminal.line(line);
  }
  if (setAside.length === 0) return;
  terminal.line();
  terminal.line(paint.bold('Set aside: cannot be called by anyone'));
  const aside = setAside.map(({ name, position, reason }) => ({
    cells: [oneLine(name ?? `tool ${position + 1}`), oneLine(reason.message)],
  }));
  for (const line of table(aside, columns, [{ atMost: 40 }], [paint.red])) terminal.line(line);
}

/** Tools that fare the same stand together. */
function alike(names: readonly string[], findings: readonly Finding[]): { names: string[]; findings: Finding[] }[] {
  const groups = new Map<string, { names: string[]; findings: Finding[] }>();
  for (const name of names) {
    const own = findings.filter(({ tool, severity }) => tool === name && severity !== 'cosmetic');
    const key = JSON.stringify(own.map(({ consumer, severity, what }) => [consumer, severity, what]));
    const group = groups.get(key);
    if (group) group.names.push(name);
    else if (own.length > 0) groups.set(key, { names: [name], findings: own });
  }
  return [...groups.values()];
}

function severityPaint(paint: Terminal['paint']): (text: string) => string {
  return (text) => (text === 'refused' ? paint.red(text) : paint.yellow(text));
}

const order: readonly Finding['severity'][] = ['refused', 'lossy', 'cosmetic'];

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
      ['lossy', 'lossy'],
      ['cosmetic', 'with other annotations'],
    ] as const
  )
    .map(([severity, words]) => ({ tools: count(severity), words }))
    .filter((each) => each.tools > 0);
  if (counts.length === 0) return `all ${tools} unchanged`;
  return counts.map((each, index) => `${each.tools}${index === 0 ? ` of ${tools}` : ''} ${each.words}`).join(', ');
}
