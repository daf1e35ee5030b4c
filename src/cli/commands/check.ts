import { findingsIn, mostUsedProviders, providers, rules } from '../../internal.js';
import type { ApprovalDifference, Catalogue, Finding, Level } from '../../internal.js';
import { counted, grouped } from '../../json/index.js';
import { approvedOption, command, exitCodes, flag, names, serverOptions, UsageError } from '../command.js';
import { approvedIn, differencesFrom } from '../servers/approved.js';
import { eachServer, headline } from '../servers/sessions.js';
import { toolCounts } from '../servers/tools.js';
import { printReport, type Terminal } from '../terminal/terminal.js';
import { printTable, wrap } from '../terminal/text.js';

const all = Object.keys(providers) as readonly (keyof typeof providers)[]; // its own keys
const subjects: readonly Finding['subject'][] = ['schema', ...all];
const usual: readonly Finding['subject'][] = ['schema', ...mostUsedProviders];
const levels = ['note', 'warning', 'error'] as const satisfies readonly Level[];

export const check = command({
  about:
    'Checks the tools of the server: malformed or misleading schemas, missing types and descriptions, invisible characters, the token cost of the tool definitions, and what each provider rejects or drops. docs/rules.md of this package explains each rule. Exits with 1 if it finds an error. What concerns one provider weighs less unless --only names the provider.',
  options: {
    ...serverOptions,
    only: names('A,B', `check only these: ${subjects.join(', ')}, or names of rules`),
    strict: flag('show notes as well, and exit with 1 for warnings, too'),
    approved: approvedOption('also report what differs from the approved tools'),
    json: flag('print the findings as JSON'),
  },
  examples: [
    'check --url http://localhost:3000/mcp',
    'check --only openai,anthropic -- node server.js',
    'check --strict --config mcp.json',
  ],
  async run(given, context) {
    const { only, json, approved, strict } = given;
    const { signal, cwd } = context;
    const known: readonly string[] = [...subjects, ...Object.keys(rules)];
    const unknown = only.find((name) => !known.includes(name));
    const takes = `It takes ${subjects.join(', ')}, and the names of rules.`;
    if (unknown !== undefined) throw new UsageError(`--only does not know "${unknown}". ${takes}`);
    const isWanted = ({ rule, subject }: Finding) =>
      (only.length === 0 ? usual.includes(subject) : only.includes(subject) || only.includes(rule)) ||
      rule === 'skipped-tool';
    const chosen = only.length === 0 ? usual : subjects.filter((subject) => only.includes(subject));
    const approvedOf = approvedIn(approved, cwd);
    return eachServer(given, context, async (visit) => {
      const { server, session, terminal } = visit;
      const catalogue = await session.listTools({ signal });
      const differences = differencesFrom(approvedOf(server), catalogue, server).map(differing);
      const findings = [
        ...differences,
        ...findingsIn(catalogue, only.length === 0 ? mostUsedProviders : all)
          .filter(isWanted)
          .map((finding) => (only.length > 0 || finding.subject === 'schema' ? finding : lowered(finding))),
      ];
      if (json) {
        printReport({ server: server.name, tools: catalogue.tools.length, checked: chosen, findings }, terminal);
      } else {
        terminal.line(headline(visit, toolCounts(catalogue)));
        terminal.line();
        printSummary(catalogue, chosen, findings, terminal);
        const isShown = ({ level, rule }: Finding) => level !== 'note' || strict || only.includes(rule);
        printFindings(catalogue, findings.filter(isShown), terminal);
      }
      const fails = findings.some(({ level }) => level === 'error' || (strict && level === 'warning'));
      return fails ? exitCodes.problem : exitCodes.success;
    });
  },
});

/**
 * Lowers the level of a provider's finding if nobody named the provider: it only concerns servers that are used with
 * its models.
 */
function lowered(finding: Finding): Finding {
  return { ...finding, level: finding.level === 'error' ? 'warning' : 'note' };
}

function differing({ tool, message, changes }: ApprovalDifference): Finding {
  const what = changes.length === 0 ? message : `${message} ${changes.join('; ')}`;
  const about = { rule: 'not-as-approved', level: 'error', subject: 'schema' } as const;
  return { ...about, ...(tool !== undefined && { tool }), message: what };
}

function printSummary(
  { tools, skipped }: Catalogue,
  chosen: readonly string[],
  findings: readonly Finding[],
  terminal: Terminal,
): void {
  const known = new Set([...tools, ...skipped].map(({ name }) => name));
  const isGone = ({ rule, tool }: Finding) => rule === 'not-as-approved' && tool !== undefined && !known.has(tool);
  const count = tools.length + skipped.length + findings.filter(isGone).length;
  // With `--only RULE` no subject is chosen; then those that were found are shown.
  const found = [...new Set(findings.map(({ subject }) => subject))];
  const rows = (chosen.length > 0 ? chosen : found).map((subject) => {
    const own = findings.filter((finding) => finding.subject === subject);
    return { cells: [subject, summarise(own, count)] };
  });
  if (rows.length === 0) terminal.line(`  ${summarise([], count)}`);
  printTable(rows, [{ atMost: 40, paint: terminal.paint.cyan }], terminal);
}

function summarise(findings: readonly Finding[], tools: number): string {
  const worst = new Map<string | undefined, Level>();
  for (const level of levels) for (const each of findings) if (each.level === level) worst.set(each.tool, level);
  const ofServer = worst.get(undefined);
  worst.delete(undefined);
  const counts = levels.toReversed().flatMap((level) => {
    const { length } = [...worst.values()].filter((each) => each === level);
    return length === 0 ? [] : [`${length} with ${level}s`];
  });
  const all = counted(tools, 'tool');
  const inTools = counts.length === 0 ? `nothing found in ${all}` : `of ${all}, ${counts.join(', ')}`;
  return ofServer === undefined ? inTools : `${inTools}; for the server: ${ofServer}`;
}

function printFindings({ tools }: Catalogue, findings: readonly Finding[], terminal: Terminal): void {
  const { paint, columns = 200 } = terminal;
  const byTool = grouped(findings, ({ tool }) => tool ?? 'the server');
  const alike = grouped([...byTool], ([, own]) => JSON.stringify(own.map(({ rule, message }) => [rule, message])));
  for (const group of alike.values()) {
    const names = group.map(([name]) => name);
    const heading = names.length === tools.length && names.length > 1 ? `all ${names.length} tools` : names.join(', ');
    terminal.line();
    for (const line of wrap(heading, columns)) terminal.line(paint.bold(line));
    const rows = group[0][1].map(({ rule, level, message }) => ({ cells: [level, rule, message] }));
    const level = { atMost: 8, paint: (text: string) => paint[text.startsWith('error') ? 'red' : 'yellow'](text) };
    const rule = { atMost: 28, paint: paint.cyan };
    printTable(rows, [level, rule], terminal);
  }
}
