import { checkRepairs, type RepairChoice, repairOptions } from '../internal.js';
import type { Option } from './command.js';

export const repair: Option<RepairChoice | undefined> = {
  value: 'WORDS',
  about: `which slips to repair: safe (default), all, off, or kinds such as integers,nulls; a minus takes one away, as in safe,-nulls. Kinds: ${repairOptions.join(', ')}`,
  read: (given) => {
    const choice: unknown = given.at(-1);
    checkRepairs(choice);
    return choice;
  },
};
