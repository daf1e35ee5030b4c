import { canonicalText, isObject, type JsonObject } from '../../src/json/index.js';

/** Per parameter the values that are accepted; `''` among them: it may be left out. */
export type AcceptedAnswer = Readonly<Record<string, readonly unknown[]>>;

/** True if the arguments are one of the accepted answers. */
export function isAccepted(args: unknown, truth: readonly AcceptedAnswer[]): boolean {
  return truth.some((answer) => differences(args, answer).length === 0);
}

/** The parameters in which the arguments differ from the accepted answer that is nearest to them. */
export function nearestDifferences(args: unknown, truth: readonly AcceptedAnswer[]): string[] {
  const all = truth.map((answer) => differences(args, answer));
  return all.sort((left, right) => left.length - right.length)[0] ?? [];
}

function differences(args: unknown, answer: AcceptedAnswer): string[] {
  if (!isObject(args)) return Object.keys(answer);
  const names = new Set([...Object.keys(args), ...Object.keys(answer)]);
  return [...names].filter((name) => !memberMatches(args, answer, name));
}

function memberMatches(given: JsonObject, answer: AcceptedAnswer, name: string): boolean {
  const accepted = Object.hasOwn(answer, name) ? answer[name] : undefined;
  if (!Object.hasOwn(given, name)) return accepted?.includes('') ?? true;
  return accepted?.some((value) => matches(given[name], value)) ?? false;
}

/** An accepted object lists the accepted values of each member in turn. */
function matches(given: unknown, accepted: unknown): boolean {
  if (typeof given === 'string' && typeof accepted === 'string') return simplified(given) === simplified(accepted);
  if (Array.isArray(given) && Array.isArray(accepted)) {
    return given.length === accepted.length && given.every((item, index) => matches(item, accepted[index]));
  }
  if (isObject(given) && isObject(accepted)) {
    const answer = Object.fromEntries(
      Object.entries(accepted).map(([name, values]) => [
        name,
        Array.isArray(values) ? (values as unknown[]) : [values],
      ]),
    );
    return differences(given, answer).length === 0;
  }
  return canonicalText(given) === canonicalText(accepted);
}

/** As the leaderboard compares texts. */
function simplified(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"');
}
