import { isPhrase, summarizedViolations } from '../schema/index.js';
import type { RepairContext } from './context.js';
import type { Branch, Problem } from './fix.js';
import { excludes } from './unions.js';

/** Refused strings that get a reading: the text for the model has no more lines. */
const maxReadings = 10;

/** By location, what a refused string would be read as, and why that does not fit: `-1, which must be >= 0`. */
export function readingsIn(context: RepairContext, { problems }: Branch): ReadonlyMap<string, string | undefined> {
  const ofStrings = problems.filter(({ refusals: [first] }) => typeof first.value === 'string').slice(0, maxReadings);
  return new Map(ofStrings.map((problem) => [problem.location, readingOf(context, problem)]));
}

/** The reading of a string where none is accepted. */
function readingOf(context: RepairContext, problem: Problem): string | undefined {
  const { location, refusals, unions, fixes } = problem;
  if (!refusesAnyText(problem) || fixes().length > 0) return undefined;
  for (const { to } of context.candidates(refusals)) {
    if (typeof to !== 'number' && typeof to !== 'boolean') continue;
    const refused = refusals.flatMap((refusal) => refusal.again(to) ?? []);
    const [found] = summarizedViolations(refused.map(({ violation }) => violation));
    const isSaid = refusals.some(({ violation }) => violation.expected === found?.expected);
    if (found && !isSaid && isPhrase(found.expectation)) return `${to}, which must be ${found.expected}`;
  }
  const inBranches = unions()
    .flat()
    .flatMap((branch) => branch.at(location));
  return inBranches.map((each) => readingOf(context, each)).find((reading) => reading !== undefined);
}

/** True if no string at all is accepted there: by a schema of the place, or by every branch of a union. */
function refusesAnyText({ location, refusals, unions }: Problem): boolean {
  const isRefusedIn = (branch: Branch) => !branch.isOpen && branch.at(location).some(refusesAnyText);
  return refusals.some((each) => excludes(each, '')) || unions().some((branches) => branches.every(isRefusedIn));
}
