import type { INodeProperties } from 'n8n-workflow';
import { group } from './group.js';

/** The kinds that nodes before version 1.2 have in a list; integers had an option of their own. */
const otherKinds = [
  choice(
    'Any Null for an Optional',
    'allNulls',
    'A null that is not allowed is left out, even if it might clear a value',
  ),
  choice('Booleans', 'booleans', '"true" becomes true'),
  choice('Booleans as Bits', 'bits', '0 and 1 become false and true'),
  choice('Empty Text for an Optional', 'blanks', 'An empty text that is not allowed is left out'),
  choice('Enum Spelling', 'enums', '"like new" becomes "Like New"'),
  choice('Fractions as Strings', 'decimals', '1.5 becomes "1.5" where only text is accepted'),
  choice('JSON in Strings', 'json', '"[1, 2]" becomes [1, 2]'),
  choice('Lists of One', 'lists', '["a"] becomes "a" where a single value is wanted'),
  choice('Missing Constants', 'consts', 'A required property that can have one value only is put in'),
  choice('Null for an Optional', 'nulls', 'A null that is not allowed is left out if it cannot clear a value'),
  choice('Numbers', 'numbers', '"1.5" becomes 1.5'),
  choice('Property Names', 'names', 'maxResults becomes max_results'),
  choice('Single Values', 'singletons', '"a" becomes ["a"] where a list is wanted'),
  choice('Strings', 'strings', '25 becomes "25" where only text is accepted'),
  choice('Values Between Commas', 'split', '"open,closed" becomes ["open", "closed"]'),
  choice('Wrapped Arguments', 'wrappers', '{"arguments": {...}} becomes {...}'),
];

const integers = choice('Integers', 'integers', '"100" becomes 100');

function choice(name: string, value: string, description: string) {
  return { name, value, description };
}

const repair = {
  displayName: 'Repair',
  name: 'repair',
  type: 'options',
  options: [
    choice('All', 'all', 'Every kind of repair'),
    choice('Choose', 'choose', 'The kinds chosen below'),
    integers,
    choice('Off', 'off', 'Arguments are checked but never changed'),
    choice('Safe', 'safe', 'Every kind that changes only how a value is written'),
  ],
  default: 'safe',
  description: 'Which common model mistakes are repaired, if the schema refuses the value and accepts the repaired one',
} satisfies INodeProperties;

const kinds: INodeProperties = {
  displayName: 'Kinds',
  name: 'kinds',
  type: 'multiOptions',
  options: [...otherKinds, integers].sort((a, b) => a.name.localeCompare(b.name)),
  default: ['integers'],
  displayOptions: { show: { repair: ['choose'] } },
  description: 'Common model mistakes, repaired only if the schema refuses the value and accepts the repaired one',
};

export const repairs = group('Repairs', 'repairing', [repair, kinds], repair.description);

/** The same before version 1.2. A parameter with its default is not saved, so a default never changes in a version. */
export const singleRepairs: INodeProperties[] = [
  {
    displayName: 'Lenient Integers',
    name: 'integers',
    type: 'boolean',
    default: true,
    description: 'Whether "100" becomes 100 where the schema wants an integer. Applies only if "Repairs" is "Choose".',
  },
  {
    displayName: 'More Repairs',
    name: 'repairs',
    type: 'multiOptions',
    options: otherKinds,
    default: [],
    description: 'Common model mistakes that are repaired. Applies only if "Repairs" is "Choose".',
  },
  { ...repair, displayName: 'Repairs', default: 'integers', displayOptions: { show: { '@version': [1] } } },
  { ...repair, displayName: 'Repairs', displayOptions: { show: { '@version': [{ _cnd: { gte: 1.1 } }] } } },
];
