import { resolve } from 'node:path';
import { compareApproved, findingsIn, rules } from '../../internal.js';
import type { Catalogue, Finding, Level, ApprovalDifference, Provider } from '../../internal.js';
import { counted } from '../../json/index.js';
import type { CheckGiven } from '../usage/check.js';
import { frameworksFor, inWords, recordedTools } from '../check/frameworks.js';
import { approvedFor, readApprovedAt } from '../check/approved.js';
import { type Checked, sarif } from '../check/sarif.js';
import type { Context } from '../context.js';
import { exitCodes, UsageError } from '../exit.js';
import { eachServer, headline } from '../servers/sessions.js';
import { printReport } from '../terminal/json.js';
import { table } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import { wrap } from '../terminal/text.js';
import { toolCounts } from './list.js';

const providers: readonly Provider[] = ['openai', 'anthropic', 'google', 'cohere'];
const subjects: readonly Finding['subject'][] = ['schema', ...providers];
const levels: readonly Level[] = ['note', 'warning', 'error'];

/**
 * What a server's author could do better, and what providers would lose or refuse; exit code 1 where there is anything.
 */
export async function check(given: CheckGiven, context: Context): Promise<number> {
  const { terminal, signal, cwd } = context;
  const { isWanted, chosen } = wanted(given);
  const least = given['fail-on'] ?? 'warning';
  if (given.json && given.sarif) throw new UsageError('--json and --sarif are two forms of the same: choose one.');
  const path = given.approved === undefined ? undefined : resolve(cwd, given.approved);
  const approved = path === undefined ? undefined : readApprovedAt(path);
  const checked: Checked[] = [];
  const code = await eachServer(given, context, async (server, session) => {
    const catalogue = await session.listTools({ signal });
    const differences =
      path !== undefined && approved
        ? compareApproved(approvedFor(approved, path, server), catalogue, server.address)
        : [];
    const findings = [...differences.map(differing), ...findingsIn(catalogue, providers).filter(isWanted)];
    checked.push({ server: server.name, findings });
    if (given.json) {
      const { tools } = catalogue;
      const frameworks = given.only.length === 0 ? { frameworks: frameworksFor(catalogue) } : {};
      printReport({ server: server.name, tools: tools.length, checked: chosen, findings, ...frameworks }, terminal);
    } else if (!given.sarif) {
      terminal.line(headline(server, session, toolCounts(catalogue), terminal));
      // What is only worth knowing is counted and left to `--json`, unless it is asked for.
      const shown = findings.filter(
        ({ level, rule }) => level !== 'note' || least === 'note' || given.only.includes(rule),
      );
      render(catalogue, chosen, findings, shown, terminal);
      if (given.only.length === 0) renderFrameworks(catalogue, terminal);
    }
    const fails = findings.some(({ level }) => levels.indexOf(level) >= levels.indexOf(least));
    return fails ? exitCodes.problem : exitCodes.success;
  });
  if (given.sarif) printReport(sarif(checked, given.config), terminal);
  return code;
}

function wanted({ only }: CheckGiven): { isWanted: (finding: Finding) => boolean; chosen: readonly string[] } {
  const known: readonly string[] = [...subjects, ...Object.keys(rules)];
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--only: "${unknown}" is not known. Known: ${subjects.join(', ')}, and the names of rules.`);
  const isWanted = ({ rule, subject }: Finding) =>
    only.length === 0 || only.includes(subject) || only.includes(rule) || rule === 'skipped-tool';
  return { isWanted, chosen: subjects.filter((subject) => only.length === 0 || only.includes(subject)) };
}

function differing({ tool, message, changes }: ApprovalDifference): Finding {
  const what = changes.length === 0 ? message : `${message} ${changes.join('; ')}`;
  return {
    rule: 'not-as-approved',
    level: 'error',
    subject: 'schema',
    ...(tool !== undefined && { tool }),
    message: what,
  };
}

function render(
  { tools, skipped }: Catalogue,
  chosen: readonly string[],
  findings: readonly Finding[],
  shown: readonly Finding[],
  terminal: Terminal,
): void {
  const { paint, columns = 200 } = terminal;
  terminal.line();
  // Of some rules alone nothing is said about what else the subject may be.
  const found = [...new Set(findings.map(({ subject }) => subject))];
  const known = new Set([...tools, ...skipped].map(({ name }) => name));
  const gone = findings.filter(
    ({ rule, tool }) => rule === 'not-as-approved' && tool !== undefined && !known.has(tool),
  );
  const count = tools.length + skipped.length + gone.length;
  const summary = (chosen.length > 0 ? chosen : found).map((subject) => {
    const own = findings.filter((finding) => finding.subject === subject);
    return { cells: [subject, summarise(own, count)] };
  });
  if (summary.length === 0) terminal.line(`  ${summarise([], count)}`);
  for (const line of table(summary, columns, [{ atMost: 40 }], [paint.cyan])) terminal.line(line);
  for (const { names, findings: shared } of alike(shown)) {
    terminal.line();
    const heading = names.length === tools.length && names.length > 1 ? `all ${names.length} tools` : names.join(', ');
    for (const line of wrap(heading, columns)) terminal.line(paint.bold(line));
    const rows = shared.map(({ rule, level, message }) => ({ cells: [level, rule, message] }));
    for (const line of table(rows, columns, [{ atMost: 8 }, { atMost: 28 }], [levelPaint(paint), paint.cyan]))
      terminal.line(line);
  }
}

/** What other clients make of the keywords that the server uses. */
function renderFrameworks(catalogue: Catalogue, terminal: Terminal): void {
  const { paint, columns = 200 } = terminal;
  const rows = frameworksFor(catalogue).map((framework) => ({ cells: [framework.name, inWords(framework)] }));
  const heading = `What frameworks tell the model of schemas, and lose of the keywords used here (measured with ${recordedTools.toLocaleString('en')} recorded tools)`;
  terminal.line();
  for (const line of wrap(heading, columns)) terminal.line(paint.bold(line));
  for (const line of table(rows, columns, [{ atMost: 40 }], [paint.cyan])) terminal.line(line);
}

/** Tools that fare the same stand together. */
function alike(findings: readonly Finding[]): { names: string[]; findings: Finding[] }[] {
  const byTool = new Map<string, Finding[]>();
  for (const finding of findings) {
    const name = finding.tool ?? 'the server';
    byTool.set(name, [...(byTool.get(name) ?? []), finding]);
  }
  const groups = new Map<string, { names: string[]; findings: Finding[] }>();
  for (const [name, own] of byTool) {
    const key = JSON.stringify(own.map(({ rule, message }) => [rule, message]));
    const group = groups.get(key);
    if (group) group.names.push(name);
    else groups.set(key, { names: [name], findings: own });
  }
  return [...groups.values()];
}

function levelPaint(paint: Terminal['paint']): (text: string) => string {
  return (text) => (text.startsWith('error') ? paint.red(text) : paint.yellow(text));
}

/** @param tools how many there are, those that are set aside among them */
function summarise(findings: readonly Finding[], tools: number): string {
  // A tool may have several findings; the worst one counts.
  const worst = new Map<string | undefined, number>();
  for (const { tool, level } of findings) worst.set(tool, Math.max(worst.get(tool) ?? 0, levels.indexOf(level)));
  const ofServer = worst.get(undefined);
  worst.delete(undefined);
  const counts = [...levels].reverse().flatMap((level) => {
    const count = [...worst.values()].filter((each) => each === levels.indexOf(level)).length;
    return count === 0 ? [] : [`${count} with ${level}s`];
  });
  const all = counted(tools, 'tool');
  const inTools = counts.length === 0 ? `nothing found in ${all}` : `of ${all}, ${counts.join(', ')}`;
  return ofServer === undefined
    ? inTools
    : `${inTools}; the server with ${levels[ofServer] === 'error' ? 'an' : 'a'} ${levels[ofServer] ?? ''}`;
}
