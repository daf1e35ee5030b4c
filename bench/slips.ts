/**
 * Repairs of calls that models got wrong: `npm run bench:slips [-- FILE]`.
 *
 * FILE (by default ../shared/slips/calls.json) holds recorded calls that break their tool's schema, each with the answers
 * that the source accepts. It counts their outcomes: repaired to an accepted answer, to another one, or refused.
 * Each repair to another answer is printed with before and after, to be read. At the end, it does the same for slips
 * that are made of valid calls to the recorded tools (about two minutes).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RepairChoice, repairArguments, type RepairOption, repairOptions } from '../src/repair/index.js';
import { compileSchema, evaluate } from '../src/schema/index.js';
import { corpusTools } from '../test-support/schemas/corpus.js';
import { countSlips } from '../test-support/schemas/slips.js';
import { countStyles } from '../test-support/schemas/styles.js';
import { requiredFolder } from '../test-support/shared.js';
import { type AcceptedAnswer, isAccepted, nearestDifferences } from './slips/accepted.js';
import type { Attempt, Contender } from './slips/contender.js';
import { peers } from './slips/peers.js';

interface SlippedCall {
  readonly model: string;
  readonly test: string;
  readonly tool: string;
  readonly args: unknown;
  readonly truth: readonly AcceptedAnswer[];
}

type Outcome = 'accepted' | 'other' | 'refused';

const file = process.argv[2] ?? join(requiredFolder('slips'), 'calls.json');
const { tools, calls } = JSON.parse(readFileSync(file, 'utf8')) as {
  tools: Record<string, unknown>;
  calls: SlippedCall[];
};

void main();

async function main(): Promise<void> {
  console.log(`${calls.length} calls of ${Object.keys(tools).length} tools\n`);
  console.log('| | to an accepted answer | to another answer | refused |\n| --- | ---: | ---: | ---: |');
  for (const choice of ['off', 'integers', 'safe', 'all'] as const)
    await printRow(`mcp-verbatim, ${choice}`, ours(choice));
  for (const [name, contender] of await peers()) await printRow(name, contender);

  console.log('\nThe same with one kind alone, and with all but this one:\n');
  console.log('| kind | accepted, alone | other, alone | accepted, without | other, without |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const kind of repairOptions) await printKind(kind);

  console.log('\nRepaired to another answer, with all kinds:\n');
  for (const call of calls) await printOther(call);

  printSynthesised();
}

/** Slips made of calls that fit: every kind at every place of every recorded tool, one at a time. */
function printSynthesised(): void {
  const schemas = corpusTools(requiredFolder('corpus')).map(({ inputSchema }) => inputSchema);
  const { counts, others } = countSlips(schemas);
  console.log('\nSlips made at every place of calls to the recorded tools, with all kinds:\n');
  console.log('| kind | accepted as it came | repaired to what was meant | to something else | refused |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const [kind, { accepted, meant, other, refused }] of Object.entries(counts)) {
    console.log(`| ${kind} | ${accepted} | ${meant} | ${other} | ${refused} |`);
  }
  for (const other of others) console.log(`\n- ${other}`);
  printStyles(schemas);
}

function printStyles(schemas: readonly unknown[]): void {
  const { counts, others } = countStyles(schemas);
  console.log('\nWhole calls to the recorded tools in the styles of models:');
  console.log('as they come / repaired to what was meant / to something else / refused\n');
  console.log('| style | integers | safe | all |\n| --- | ---: | ---: | ---: |');
  for (const [style, modes] of Object.entries(counts)) {
    const cells = Object.values(modes).map((of) => [of.accepted, of.meant, of.other, of.refused].join(' / '));
    console.log(`| ${style} | ${cells.join(' | ')} |`);
  }
  for (const other of others) console.log(`\n- ${other}`);
}

async function printRow(name: string, contender: Contender): Promise<void> {
  const { accepted, other, refused } = await countsOf(contender);
  console.log(`| ${name} | ${accepted} | ${other} | ${refused} |`);
}

async function printKind(kind: RepairOption): Promise<void> {
  const alone = await countsOf(ours(kind));
  const without = await countsOf(ours(`all,-${kind}`));
  console.log(`| ${kind} | ${alone.accepted} | ${alone.other} | ${without.accepted} | ${without.other} |`);
}

async function printOther(call: SlippedCall): Promise<void> {
  const attempt = await ours('all')(tools[call.tool], call.args);
  if (outcomeOf(attempt, call) !== 'other') return;
  const places = attempt.repairs?.map(({ kind, instanceLocation }) => `${kind} at ${instanceLocation || 'the root'}`);
  console.log(`- ${call.model}, ${call.test}: ${places?.join(', ') ?? ''}`);
  console.log(`  before ${JSON.stringify(call.args)}`);
  console.log(`  after  ${JSON.stringify(attempt.arguments)}`);
  console.log(
    `  differs from the nearest accepted answer in ${nearestDifferences(attempt.arguments, call.truth).join(', ')}`,
  );
}

async function countsOf(contender: Contender): Promise<Record<Outcome, number>> {
  const counts = { accepted: 0, other: 0, refused: 0 };
  for (const call of calls) counts[outcomeOf(await contender(tools[call.tool], call.args), call)]++;
  return counts;
}

/** Some check against a schema of their own; here the tool's own schema decides what counts as sent. */
function outcomeOf({ arguments: args, sent }: Attempt, { tool, truth }: SlippedCall): Outcome {
  if (!sent || evaluate(compileSchema(tools[tool]), args).outcome !== 'valid') return 'refused';
  return isAccepted(args, truth) ? 'accepted' : 'other';
}

function ours(choice: RepairChoice): Contender {
  return (schema, args) => {
    const { arguments: repaired, evaluation, repairs } = repairArguments(compileSchema(schema), args, choice);
    return { arguments: repaired, sent: evaluation.outcome === 'valid', repairs };
  };
}
