import { canonicalText } from '../../src/json/index.js';
import { checkArguments, InvalidArgumentsError } from '../../src/tool/index.js';
import { obeyed } from '../../test-support/refusals/reader.js';
import { untrueLines } from '../../test-support/refusals/untrue.js';
import { broken } from './breaks.js';
import type { Chance } from './chance.js';

/** A tool, and a call that it accepts. */
export interface ValidCall {
  readonly tool: Parameters<typeof checkArguments>[0];
  readonly args: unknown;
}

/**
 * The outcomes of the broken calls: accepted at once or repaired, refused, and valid once the reader followed the text.
 */
export class Counts {
  calls = 0;
  refused = 0;
  afterOne = 0;
  afterTwo = 0;
  lines = 0;
  untrue = 0;
  readonly byBreak = new Map<string, { refused: number; afterOne: number; afterTwo: number }>();
  /** Some of the calls that were still refused, and of the lines that were not true. */
  readonly left: string[] = [];
}

/** Breaks a call in one or two ways and lets the reader mend it by the refusals alone, twice at most. */
export function tryCall({ tool, args }: ValidCall, chance: Chance, counts: Counts): void {
  const first = broken(args, chance);
  const second = first && chance.is(0.4) ? broken(first.args, chance) : undefined;
  const sent = second ?? first;
  if (!sent || canonicalText(sent.args) === canonicalText(args)) return;
  const name = first && second ? 'two of these' : sent.name;
  counts.calls++;
  const refusal = refusalOf(tool, sent.args);
  if (refusal === undefined) return;
  counts.refused++;
  const of = counts.byBreak.get(name) ?? { refused: 0, afterOne: 0, afterTwo: 0 };
  counts.byBreak.set(name, of);
  of.refused++;
  note(refusal, sent.args, tool, counts);
  const once = obeyed(refusal, sent.args);
  const again = refusalOf(tool, once);
  if (again === undefined) {
    counts.afterOne++;
    of.afterOne++;
  } else note(again, once, tool, counts);
  const twice = again === undefined ? once : obeyed(again, once);
  const last = again === undefined ? undefined : refusalOf(tool, twice);
  if (last === undefined) {
    counts.afterTwo++;
    of.afterTwo++;
  }
  if (again !== undefined)
    counts.left.push(
      [
        `${last === undefined ? 'TWO' : 'NEVER'} ${name} ${JSON.stringify(tool.inputSchema)}`,
        JSON.stringify(sent.args),
        refusal,
        JSON.stringify(once),
        again,
        JSON.stringify(twice),
        last ?? '',
      ].join('\n'),
    );
}

/** The text for the model; undefined if the call is sent. */
function refusalOf(tool: ValidCall['tool'], args: unknown): string | undefined {
  try {
    checkArguments(tool, args);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidArgumentsError) return error.message;
    throw error;
  }
}

function note(refusal: string, args: unknown, tool: ValidCall['tool'], counts: Counts): void {
  const { lines, untrue } = untrueLines(refusal, args);
  counts.lines += lines;
  counts.untrue += untrue.length;
  for (const { line, why } of untrue)
    counts.left.push(`UNTRUE ${why}: ${line}\n${JSON.stringify(args)}\n${JSON.stringify(tool.inputSchema)}`);
}
