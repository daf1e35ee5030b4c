import type { INodeProperties } from 'n8n-workflow';
import { type Choice, choiceField, group, listed, toggle } from '../fields.js';

/** The kinds that nodes before version 1.2 have in a list; integers had an option of their own. */
const otherKinds: Choice[] = [
  ['Any Null for an Optional', 'allNulls', 'A null that is not allowed is left out, even if it might clear a value'],
  ['Booleans', 'booleans', '"true" becomes true'],
  ['Booleans as Bits', 'bits', '0 and 1 become false and true'],
  ['Empty Text for an Optional', 'blanks', 'An empty text that is not allowed is left out'],
  ['Enum Spelling', 'enums', '"like new" becomes "Like New"'],
  ['Fractions as Strings', 'decimals', '1.5 becomes "1.5" where only text is accepted'],
  ['JSON in Strings', 'json', '"[1, 2]" becomes [1, 2]'],
  ['Lists of One', 'lists', '["a"] becomes "a" where a single value is wanted'],
  ['Missing Constants', 'consts', 'A required property that can have one value only is put in'],
  ['Null for an Optional', 'nulls', 'A null that is not allowed is left out if it cannot clear a value'],
  ['Numbers', 'numbers', '"1.5" becomes 1.5'],
  ['Property Names', 'names', 'maxResults becomes max_results'],
  ['Single Values', 'singletons', '"a" becomes ["a"] where a list is wanted'],
  ['Strings', 'strings', '25 becomes "25" where only text is accepted'],
  ['Values Between Commas', 'split', '"open,closed" becomes ["open", "closed"]'],
  ['Wrapped Arguments', 'wrappers', '{"arguments": {...}} becomes {...}'],
];

const integers: Choice = ['Integers', 'integers', '"100" becomes 100'];

const about = 'Which common model mistakes are repaired, if the schema refuses the value and accepts the repaired one';

/** @param standard never changes in a version of the node: a parameter with its default is not saved */
function repairField(displayName: string, standard: string, versions?: unknown[]): INodeProperties {
  const choices: Choice[] = [
    ['All', 'all', 'Every kind of repair'],
    ['Choose', 'choose', 'The kinds chosen below'],
    integers,
    ['Off', 'off', 'Arguments are checked but never changed'],
    ['Safe', 'safe', 'Every kind that changes only how a value is written'],
  ];
  const shown = versions && ({ show: { '@version': versions } } as INodeProperties['displayOptions']); // of numbers and conditions
  return choiceField(displayName, 'repair', standard, choices, about, shown);
}

const kinds: INodeProperties = {
  displayName: 'Kinds',
  name: 'kinds',
  type: 'multiOptions',
  options: [...otherKinds, integers].map(listed).sort((a, b) => a.name.localeCompare(b.name)),
  default: ['integers'],
  displayOptions: { show: { repair: ['choose'] } },
  description: 'Common model mistakes, repaired only if the schema refuses the value and accepts the repaired one',
};

export const repairs = group('Repairs', 'repairing', [repairField('Repair', 'safe'), kinds], about);

/** The same before version 1.2. */
export const singleRepairs: INodeProperties[] = [
  toggle(
    'Lenient Integers',
    'integers',
    true,
    'Whether "100" becomes 100 where the schema wants an integer. Applies only if "Repairs" is "Choose".',
  ),
  {
    displayName: 'More Repairs',
    name: 'repairs',
    type: 'multiOptions',
    options: otherKinds.map(listed),
    default: [],
    description: 'Common model mistakes that are repaired. Applies only if "Repairs" is "Choose".',
  },
  repairField('Repairs', 'integers', [1]),
  repairField('Repairs', 'safe', [{ _cnd: { gte: 1.1 } }]),
];
