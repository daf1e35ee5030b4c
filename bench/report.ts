import type { Outcome } from './calls.js';
import { good } from './calls.js';
import { cases } from './cases.js';
import type { Fate } from '../src/projections/index.js';
import type { Fidelity } from './fidelity.js';
import type { Measured } from './measure.js';
import { peerNames } from './peer.js';
import { argumentBytes } from './times.js';
import type { Spread } from './spread.js';
import type { Place, Times, Way } from './times.js';

/** The data and the versions of the measurement. */
export interface Setting {
  servers: number;
  tools: number;
  /** Tools whose schema has no `type` or no `properties` at its root. */
  bare: number;
  versions: Readonly<Record<string, string>>;
  node: string;
  plot: string;
}

const us = 'mcp-verbatim';

/**
 * The measurements as a page. Every comparing sentence is made from the figures, so that it cannot say more than they
 * do.
 */
export function reportPage(measured: Measured, setting: Setting): string {
  return [
    '# Beside the peers',
    '',
    `Measured by \`npm run bench\` in one run: ${setting.tools.toLocaleString('en')} tools of ${setting.servers} published MCP servers, replayed byte for byte over streamable HTTP, each peer in a process of its own, used as its documentation says.`,
    '',
    versionsTable(setting),
    '',
    `![Share of tools whose schema reaches the model unchanged](${setting.plot})`,
    '',
    ...fidelitySection(measured, setting),
    ...callsSection(measured.calls),
    ...robustnessSection(measured),
    ...costSection(measured),
    ...betterSection(measured),
    ...rerunSection(),
  ].join('\n');
}

function versionsTable({ versions, node }: Setting): string {
  return table(['package', 'version'], [...Object.entries(versions), ['Node.js', node]]);
}

const fateHeadings: Record<Fate, string> = {
  identical: 'identical',
  reordered: 'keys reordered',
  annotations: 'annotations changed',
  meaning: 'meaning changed',
  lost: 'lost',
};

const fates = Object.keys(fateHeadings) as Fate[]; // its own keys, which Object.keys types as strings

function fidelitySection({ fidelity, recordable }: Measured, { bare }: Setting): string[] {
  return [
    '## 1. Fidelity: what the model is sent',
    '',
    'The schema in the payload for an OpenAI-compatible endpoint, compared with the one on the wire. *Identical*: the same characters. *Annotations changed*: titles, descriptions, defaults, `$schema` or the place of definitions differ, or a constraint is spelt out that applies anyway; the accepted arguments stay the same (local references are followed, and arguments are always an object). *Meaning changed*: the schema accepts other arguments, or is written so differently that this comparison cannot tell. *Lost*: the tool is not sent.',
    '',
    fatesTable(fidelity),
    '',
    ...exception(fidelity.get(us), bare),
    '## 2. Keywords lost',
    '',
    `The same over the ${toolsOf(recordable)} tools of the servers that \`npm run record\` records, which anybody can check:`,
    '',
    fatesTable(recordable),
    '',
    'Keywords lost most (uses that are in the schema on the wire and not in the one for the model):',
    '',
    table(
      ['', 'lost'],
      [...fidelity].map(([name, { lostKeywords }]) => [name, mostLost(lostKeywords)]),
    ),
    '',
  ];
}

function fatesTable(fidelity: Measured['fidelity']): string {
  const rows = [...fidelity].map(([name, { fates: counts }]) => {
    const all = fates.reduce((sum, fate) => sum + counts[fate], 0);
    return [name, ...fates.map((fate) => share(counts[fate], all))];
  });
  return table(['', ...fates.map((fate) => fateHeadings[fate])], rows);
}

function toolsOf(fidelity: Measured['fidelity']): number {
  const own = fidelity.get(us);
  return fates.reduce((sum, fate) => sum + (own?.fates[fate] ?? 0), 0);
}

/** This package's own additions and changes, stated beside its figures. */
function exception(own: Fidelity | undefined, bare: number): string[] {
  if (own === undefined) return [];
  const other = toolsOf(new Map([[us, own]])) - own.fates.identical;
  return [
    `${us} is used with its defaults, and no model is named to it. ${other} tools are not handed on to the character: those that OpenAI or Anthropic is known to reject are sent in a form that both accept ([rules](providers.md)), and those among ${bare} whose schema has no \`type\` or no \`properties\` at its root get an empty one. Validation uses the original.`,
    '',
  ];
}

function mostLost(lost: Fidelity['lostKeywords']): string {
  const sorted = [...lost].sort(([, one], [, other]) => other - one).slice(0, 8);
  return sorted.length === 0
    ? 'none'
    : sorted.map(([keyword, uses]) => `\`${keyword}\` ${uses.toLocaleString('en')}`).join(', ');
}

const outcomeWords: Record<Outcome, string> = {
  right: '✓',
  refused: '✓ not sent',
  vaguely: 'not sent, no field named',
  wrongly: '**not sent**',
  'passed on': 'sent as it was',
  changed: '**changed**',
};

function callsSection(calls: Measured['calls']): string[] {
  const names = [...calls.keys()];
  const rows = cases.map((each, index) => [
    each.name,
    ...names.map((name) => outcomeWords[calls.get(name)?.[index] ?? 'wrongly']),
  ]);
  return [
    '## 3. Calls: what the server receives',
    '',
    "A model's call goes through the peer to a server that records what arrives. ✓: the call arrived correctly. *✓ not sent*: rightly kept from the server, with every wrong field named. *sent as it was*: a malformed or wrong argument was left to the server, which may reject it or not. **not sent** and **changed** are losses: the call was right, or could be repaired, and did not arrive correctly.",
    '',
    table(['', ...names], rows),
    '',
    '## 4. Calls in short',
    '',
    table(
      ['', 'as it should be'],
      names.map((name) => [name, `${rightOf(calls.get(name) ?? [])} of ${cases.length}`]),
    ),
    '',
  ];
}

function rightOf(outcomes: readonly Outcome[]): number {
  return outcomes.filter((outcome) => good.includes(outcome)).length;
}

function robustnessSection({ robustness }: Measured): string[] {
  const names = [...robustness.keys()];
  const kinds = robustness.get(us) ?? [];
  const rows = kinds.map(({ name }, index) => [
    name,
    ...names.map((peer) => {
      const row = robustness.get(peer)?.[index];
      return row ? (row.fine ? `✓ ${row.what}` : `**${row.what}**`) : '';
    }),
  ]);
  return [
    '## 5. Robustness: one odd tool among good ones',
    '',
    'Do the good tools before and after the odd one still load? Does a call of a tool with a hostile schema, or a list without an end, block the process for more than 20 seconds?',
    '',
    table(['', ...names], rows),
    '',
  ];
}

const wayTitles: Record<Way, string> = {
  framework:
    'As its framework calls it: arguments checked wherever the framework checks them, the answer as the model reads it',
  alone: 'The client alone: sent as given, checked by nobody',
};
const placeTitles: Record<Place, string> = { own: 'each in a process of its own', shared: 'all in one process' };

function costSection({ times, sizes }: Measured): string[] {
  const inFramework =
    times.find(({ way, place }) => way === 'framework' && place === 'own')?.times ?? new Map<string, Times>();
  const own = inFramework.get(us);
  const ratio = (each: Times, column: keyof Times) =>
    own ? (each[column].median / own[column].median).toFixed(2) : '';
  return [
    '## 6. Speed',
    '',
    "The time of each peer, as a multiple of this package's: used as its framework does, each in a process of its own.",
    '',
    table(
      ['', 'connect and list 50 tools', ...columnTitles.slice(1)],
      [...inFramework].map(([name, each]) => [name, ...timeColumns.map((column) => ratio(each, column))]),
    ),
    '',
    '## 7. Cost',
    '',
    `Milliseconds over loopback: connecting and listing 50 tools; one of a hundred calls in a row, with arguments of ${argumentBytes.small} and of ${argumentBytes.large.toLocaleString('en')} characters. Medians over fifteen rounds in which the peers take turns, the middle half of the rounds behind them, and the ratio to this package.`,
    '',
    ...times.flatMap(({ way, place, times }) => {
      const own = times.get(us);
      return [
        `**${wayTitles[way]}; ${placeTitles[place]}**`,
        '',
        table(
          ['', ...columnTitles],
          [...times].map(([name, each]) => [name, ...timeColumns.map((column) => timed(each[column], own?.[column]))]),
        ),
        '',
      ];
    }),
    'The other peers are measured as their frameworks call tools. `node:http` is no client: the same requests over one kept connection, and `JSON.parse`.',
    '',
    '*Installed* counts the package and its `dependencies`, not its peer dependencies.',
    '',
    table(
      ['', 'packages it brings', 'installed'],
      [...sizes].map(([name, size]) => [name, `${size.packages}`, `${size.megabytes.toFixed(1)} MB`]),
    ),
    '',
  ];
}

const timeColumns = ['list', 'small', 'large'] as const;
const columnTitles = [
  'connect and list',
  `a call, ${argumentBytes.small} characters`,
  `a call, ${argumentBytes.large.toLocaleString('en')} characters`,
];

function timed({ median, quartiles }: Spread, own: Spread | undefined): string {
  const [low, high] = quartiles;
  const ratio = own === undefined ? '' : ` **${(median / own.median).toFixed(2)}**`;
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})${ratio}`;
}

const timeWords: Record<keyof Times, string> = {
  list: 'connects and lists',
  small: 'makes a small call',
  large: 'makes a large call',
};

function fasterPeers(times: Measured['times']): string[] {
  return times.flatMap(({ way, place, times }) => {
    const own = times.get(us)!;
    return [...times]
      .filter(([name]) => name !== us)
      .flatMap(([name, each]) =>
        timeColumns
          .filter((column) => each[column].median < own[column].median)
          .map(
            (column) =>
              `${name} ${timeWords[column]} in ${(each[column].median / own[column].median).toFixed(2)} of the time (${way === 'alone' ? 'alone' : 'in its framework'}, ${placeTitles[place]}).`,
          ),
      );
  });
}

/** Said by the figures themselves. */
function betterSection({ times, sizes, calls, fidelity, robustness }: Measured): string[] {
  const better = peerNames
    .filter((name) => name !== us)
    .flatMap((name) => {
      return [
        ...((sizes.get(name)?.megabytes ?? Infinity) < (sizes.get(us)?.megabytes ?? 0) ? [`${name} is smaller.`] : []),
        ...cases
          .filter((_each, index) => betterAt(calls, name, index))
          .map((each) => `${name} does better at “${each.name}”.`),
        ...((fidelity.get(name)?.fates.lost ?? 0) < (fidelity.get(us)?.fates.lost ?? 0)
          ? [`${name} offers more tools.`]
          : []),
        ...(robustness.get(name) ?? [])
          .filter((row, index) => row.fine && robustness.get(us)?.[index]?.fine === false)
          .map((row) => `${name} survives “${row.name}”.`),
      ];
    });
  const found = [...fasterPeers(times), ...better];
  return [
    '## Where a peer is better',
    '',
    ...(found.length > 0 ? found.map((line) => `- ${line}`) : ['In none of these figures.']),
    '',
    'Calls that are sent without being checked (@ai-sdk/mcp, @openai/agents) cannot be held up by a hostile schema, and reach servers that are more lenient than their own schemas.',
    '',
  ];
}

function betterAt(calls: Measured['calls'], name: string, index: number): boolean {
  const [theirs, ours] = [calls.get(name)?.[index], calls.get(us)?.[index]];
  return theirs !== undefined && ours !== undefined && good.includes(theirs) && !good.includes(ours);
}

function rerunSection(): string[] {
  return [
    '## Rerun',
    '',
    '```sh',
    'npm ci && npm run build',
    'npm run fetch:packages             # 2.4 GB, of which 0.9 GB are the peers',
    'npm run record                     # tool lists of published servers; a folder ../shared/corpus has priority',
    'npm run bench',
    'npm run bench -- --corpus FOLDER   # recordings of your own: one JSON file a server, { "toolsListLines": [...] }',
    '```',
    '',
    'The peers are those of `bench/peers/package-lock.json`. `bench/peers/clients.mjs` shows how each of them is used.',
    '',
  ];
}

function share(count: number, all: number): string {
  const percent = (count / all) * 100;
  return count === 0 ? '0' : `${percent < 0.1 ? '<0.1' : percent.toFixed(1)} %`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
