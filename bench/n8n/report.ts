import type { ArgumentsRow, Column, Fate } from './arguments.js';
import { better } from './better.js';
import { ownPackage, peerPackage } from './packages.js';
import type { PackageCost, StartTimes } from './packages.js';
import { local, partNames } from './parts.js';
import type { Parts } from './parts.js';
import { ms, percent, table } from './table.js';
import type { Rounds, Timing } from './timing.js';
import { builtInVersion, ours, reused, theirs, timedNames, wayNames } from './ways.js';

export interface Measured {
  timing: Timing;
  smallest: Record<(typeof partNames)[number], Parts>;
  rows: ArgumentsRow[];
  packages: { own: PackageCost; peer: PackageCost };
  starts: StartTimes;
}

/** The data and the versions of the measurement. */
export interface Setting {
  /** Recorded servers that the tools are taken from; 0 if there were none. */
  recordedServers: number;
  rounds: Rounds & { smallest: number; start: number; require: number };
  versions: Readonly<Record<string, string>>;
  plot: string;
}

/**
 * The measurements as a page. Every comparing sentence is made from the figures, so that it cannot say more than they
 * do.
 */
export function reportPage(measured: Measured, setting: Setting): string {
  const { own, peer } = measured.packages;
  return [
    "# In n8n, beside n8n's own node",
    '',
    `Measured by \`npm run bench:n8n\` in one run: the same conversations of an AI Agent (3.1) with ${ours} and with ${theirs} ${builtInVersion}, in one n8n, in random order. The server is the official SDK's, over streamable HTTP with sessions; the model is a script behind an OpenAI-compatible endpoint, which follows the schemas that it is shown: if a node has \`{"value": ...}\` in place of a tool's arguments, it writes them in that form. Both nodes have their default options.`,
    '',
    table(
      ['', 'version'],
      [...Object.entries(setting.versions), [ownPackage, own.version], [peerPackage, peer.version]],
    ),
    '',
    `![Time and requests of a conversation](${setting.plot})`,
    '',
    ...timeSection(measured.timing, setting),
    ...partsSection(measured.smallest, setting),
    ...wireSection(measured.timing),
    ...schemaSection(measured.timing, setting),
    ...argumentsSection(measured),
    ...packageSection(measured, setting),
    '## Where a peer is better',
    '',
    ...better(measured).map((line) => `- ${line}`),
    '',
    ...rerunSection(),
  ].join('\n');
}

function timeSection({ cells }: Timing, { rounds }: Setting): string[] {
  return [
    '## 1. Time',
    '',
    `The time of one execution by n8n's own clock, including the model, which answers at once. Medians of ${rounds.short} rounds (${rounds.long} with hundreds of tools and many calls), after one that is not counted; in brackets the median of each round's own ratio to ${ours}. *Connections reused*: n8n's node changed so that one execution connects and lists once, as n8n#37825 proposes (bench/n8n/reused-connections.mjs).`,
    '',
    table(
      ['tools', 'calls', ...timedNames],
      cells.map((cell) => [
        `${cell.tools}`,
        `${cell.calls}`,
        ms(cell.ms[ours]),
        ...([theirs, reused] as const).map((way) => `${ms(cell.ms[way])} (${cell.ratio[way].toFixed(2)})`),
      ]),
    ),
    '',
  ];
}

function partsSection(smallest: Measured['smallest'], { rounds }: Setting): string[] {
  const { [local]: alone, [ours]: own, [theirs]: peer, [reused]: once } = smallest;
  return [
    '### The milliseconds of the smallest conversation',
    '',
    `One tool and one call, beside the same conversation with ${local}, which asks no server: that time is n8n's own (starting an execution, its nodes, the agent, saving). The model is asked twice. Medians of ${rounds.smallest} rounds, taken by the clock of the server and the model; *added* is the median of each round's own difference to ${local}.`,
    '',
    table(
      [
        '',
        'until the model is asked',
        'until it is asked again',
        'to the end',
        'the model',
        'whole',
        'added',
        'the MCP server',
      ],
      partNames.map((name) => {
        const { before, between, after, model, whole, added, server } = smallest[name];
        const own = name === local ? ['', ''] : [ms(added), ms(server)];
        return [name, ...[before, between, after, model, whole].map(ms), ...own];
      }),
    ),
    '',
    `With ${ours}, ${ms(own.whole - own.added)} of the ${ms(own.whole)} are n8n's own. It adds ${ms(own.added)}, including ${ms(own.server)} of the MCP server. ${theirs} adds ${ms(peer.added)} (${(peer.added / own.added).toFixed(2)} times as much), with connections reused ${ms(once.added)} (${(once.added / own.added).toFixed(2)}).`,
    '',
    `No node can save n8n's own part and the server's, which are ${((alone.whole + own.server) / peer.whole).toFixed(2)} of the time that ${theirs} takes; ${ours} takes ${(own.whole / peer.whole).toFixed(2)}.`,
    '',
  ];
}

function wireSection({ cells }: Timing): string[] {
  // The number of tools changes nothing here.
  const rows = cells.filter(({ tools }) => tools === 30);
  const shown = rows.find(({ calls }) => calls === 5) ?? rows[0]!;
  const kinds = [...new Set(timedNames.flatMap((way) => shown.wire[way]))];
  const count = (way: keyof typeof shown.wire, kind: string) => shown.wire[way].filter((one) => one === kind).length;
  return [
    '## 2. On the wire',
    '',
    'HTTP requests that the server saw, and sessions that a conversation began and never ended (a server holds them until it gives up on them).',
    '',
    table(
      ['calls', ...timedNames, ...timedNames.map((way) => `${way}: sessions left open`)],
      rows.map(({ calls, requests, leftOpen }) => [
        `${calls}`,
        ...timedNames.map((way) => `${requests[way]}`),
        ...timedNames.map((way) => `${leftOpen[way]}`),
      ]),
    ),
    '',
    `With ${shown.calls} calls these are:`,
    '',
    table(
      ['', ...timedNames],
      kinds.map((kind) => [`\`${kind}\``, ...timedNames.map((way) => `${count(way, kind)}`)]),
    ),
    '',
  ];
}

function schemaSection({ delivery }: Timing, { recordedServers }: Setting): string[] {
  const source =
    recordedServers > 0
      ? `The tools are one that is called and others of ${recordedServers} published servers, taken from their recorded tool lists at even distances; left out are those that n8n's node cannot list or convert (one of them takes all others with it; [the bench over all of them](bench.md) has them) and those with long names.`
      : 'The tools are one that is called and those of the demo and of the call cases, repeated.';
  return [
    '## 3. Schemas that reach the model unchanged',
    '',
    `${source} *Unchanged*: the same characters in the request to the model. *Says the same*: another text that asks the same of the arguments (titles, descriptions, defaults and \`$schema\` apart).`,
    '',
    table(
      ['tools', '', 'bytes unchanged', 'tools unchanged', 'says the same', 'asks something else', 'not sent'],
      [...delivery].flatMap(([tools, byWay]) =>
        wayNames.map((way) => {
          const { bytes, tools: counts } = byWay[way];
          return [
            `${tools}`,
            way,
            percent(bytes.unchanged, bytes.all),
            ...[
              counts.unchanged,
              counts.equivalent,
              counts.offered - counts.unchanged - counts.equivalent,
              counts.all - counts.offered,
            ].map((part) => percent(part, counts.all)),
          ];
        }),
      ),
    ),
    '',
  ];
}

const fateWords: Record<Fate, string> = {
  right: '✓',
  'as sent': 'sent malformed',
  changed: '**changed**',
  told: 'not sent, the model reads which field',
  lost: '**not sent**',
  failed: '**the agent fails**',
};

function argumentsSection({ rows, timing }: Measured): string[] {
  const kept = rows.filter(({ slip }) => !slip);
  const slips = rows.filter(({ slip }) => slip);
  const right = (of: ArgumentsRow[], column: Column) =>
    percent(of.filter(({ fates }) => fates[column] === 'right').length, of.length);
  const list = (of: ArgumentsRow[]) =>
    table(
      ['', ...wayNames],
      [
        ...of.map((row) => [row.name, ...wayNames.map((column) => described(row, column))]),
        ['**as it should be**', ...wayNames.map((column) => right(of, column))],
      ],
    );
  const timed = wayNames.map((way) => {
    const sum = (part: (cell: Timing['cells'][number]) => number) =>
      timing.cells.reduce((all, cell) => all + part(cell), 0);
    return `${way} ${percent(
      sum((cell) => cell.arrived[way]),
      sum(({ calls }) => calls),
    )}`;
  });
  return [
    '## 4. Arguments that reach the server unchanged',
    '',
    `Calls that are valid by the server's own schema, each of another tool. The timed conversations' calls, which use only strings and integers at the top, arrive unchanged: ${timed.join(', ')}.`,
    '',
    list(kept),
    '',
    '## 5. Malformed arguments that succeed at the first try',
    '',
    '✓: the server receives what the model meant, and what its schema accepts. *Sent malformed*: left to the server, which rejects it if it keeps to its own schema. The repairs are those of a node that has just been added (*Safe*).',
    '',
    list(slips),
    '',
  ];
}

function described({ fates, arrived }: ArgumentsRow, column: Column): string {
  return arrived[column] === undefined
    ? fateWords[fates[column]]
    : `${fateWords[fates[column]]}: \`${arrived[column]}\``;
}

function packageSection({ packages: { own, peer }, starts }: Measured, { rounds }: Setting): string[] {
  const requires = ([name, took]: [string, number]) => `${name.replace('.node.js', '')} ${ms(took)}`;
  const start = (name: 'own' | 'peer') =>
    `${ms(starts[name])} (${starts.added[name] < 0 ? '−' : '+'}${ms(Math.abs(starts.added[name]))})`;
  return [
    `## 6. The package, beside ${peerPackage}`,
    '',
    `Both installed from a tarball by the steps that n8n takes. Requiring: each node file in a fresh process in which \`n8n-workflow\` is loaded, medians of ${rounds.require}. Starting: until n8n answers, medians of ${rounds.start}, by turns; in brackets the median difference to an n8n with nothing installed (${ms(starts.none)}) in the same round.`,
    '',
    table(
      ['', 'on disk', 'files', 'packages it brings', 'require each node', 'start n8n with it'],
      [
        [
          ownPackage,
          `${own.size.megabytes.toFixed(1)} MB`,
          `${own.size.files}`,
          `${own.size.packages}`,
          [...own.requires].map(requires).join(', '),
          start('own'),
        ],
        [
          peerPackage,
          `${peer.size.megabytes.toFixed(1)} MB`,
          peer.size.files.toLocaleString('en'),
          `${peer.size.packages}`,
          [...peer.requires].map(requires).join(', '),
          start('peer'),
        ],
      ],
    ),
    '',
  ];
}

function rerunSection(): string[] {
  return [
    '## Rerun',
    '',
    '```sh',
    'npm ci',
    'npm run record                         # tool lists of published servers; what is in ../shared/corpus comes first',
    'npm run bench:n8n                      # about six minutes',
    'npm run bench:n8n -- --quick           # one round of everything',
    'npm run bench:n8n -- --corpus FOLDER   # recordings of your own: one JSON file a server, { "toolsListLines": [...] }',
    '```',
    '',
    `The first run installs n8n (Linux, x64; 2.6 GB), as \`npm run demo\` does; ${peerPackage} comes from the registry. All figures but times are the same in every run. Without recordings the tools are those of the demo and of the call cases.`,
    '',
  ];
}
