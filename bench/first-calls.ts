/**
 * The first calls of one validator, cold, in a process without others: a part of `npm run bench:validation`, which
 * names the validator in the arguments, and requests some calls at a time.
 */
import { type Case, contenders, emptyCaches, firstCall, furtherCall } from './contenders.js';

/** The calls whose times are requested. */
export interface Turn {
  readonly cases: readonly Case[];
  /** The rounds of calls before, so that the process has validated before. */
  readonly warmUps?: number;
}

const prepare = await contenders[Number(process.argv[2])]?.load();
if (!prepare) throw new Error('There is no such validator.');
process.on('message', ({ cases, warmUps = 0 }: Turn) => {
  for (let i = 0; i < warmUps; i++) for (const one of cases) furtherCall(prepare, one);
  process.send?.(cases.map((one) => firstCall(prepare, one, emptyCaches)));
});
