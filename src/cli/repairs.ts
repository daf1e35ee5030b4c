import { checkRepairs, type RepairChoice, repairOptions } from '../internal.js';
import type { Option } from './command.js';

const about = `which slips to repair: safe (default), all, off, or kinds such as integers,nulls; a minus takes one away, as in
safe,-nulls. Kinds: ${repairOptions.join(', ')}`;

/**
 * `--repair`, with the same words as the library's option `repairs`.
 *
 * @throws ConfigurationError while the command line is read, if a word is unknown
 */
export const repair: Option<RepairChoice | undefined> = {
  value: 'WORDS',
  about,
  read: (given) => {
    const choice: unknown = given.at(-1);
    checkRepairs(choice);
    return choice;
  },
};
