import { UsageError } from './exit.js';

/** `name=value`, in words of their own. @throws UsageError where a word has no name, or two have the same */
export function pairsOf(words: readonly string[], instead: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`"${word}" is not of the form NAME=VALUE. ${instead}`);
    const name = word.slice(0, at);
    if (pairs.has(name)) throw new UsageError(`"${name}" is given twice. ${instead}`);
    pairs.set(name, word.slice(at + 1));
  }
  return pairs;
}
