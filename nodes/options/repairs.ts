import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { group } from './group.js';

const integers = { name: 'Integers', value: 'integers', description: '"100" becomes 100' };

const otherKinds: INodePropertyOptions[] = [
  {
    name: 'Any Null for an Optional',
    value: 'allNulls',
    description: 'A null that is not allowed is left out, also where it might clear something',
  },
  { name: 'Booleans', value: 'booleans', description: '"true" becomes true' },
  { name: 'Booleans as Bits', value: 'bits', description: '0 and 1 become false and true' },
  {
    name: 'Empty Text for an Optional',
    value: 'blanks',
    description: 'An empty text that is not allowed is left out',
  },
  { name: 'Enum Spelling', value: 'enums', description: '"like new" becomes "Like New"' },
  { name: 'Fractions as Strings', value: 'decimals', description: '1.5 becomes "1.5" where only text is accepted' },
  { name: 'JSON in Strings', value: 'json', description: '"[1, 2]" becomes [1, 2]' },
  { name: 'Lists of One', value: 'lists', description: '["a"] becomes "a" where a single value is wanted' },
  {
    name: 'Missing Constants',
    value: 'consts',
    description: 'A required property that can have one value only is put in',
  },
  {
    name: 'Null for an Optional',
    value: 'nulls',
    description: 'A null that is not allowed is left out where it can clear nothing',
  },
  { name: 'Numbers', value: 'numbers', description: '"1.5" becomes 1.5' },
  { name: 'Property Names', value: 'names', description: 'maxResults becomes max_results' },
  { name: 'Single Values', value: 'singletons', description: '"a" becomes ["a"] where a list is wanted' },
  { name: 'Strings', value: 'strings', description: '25 becomes "25" where only text is accepted' },
  { name: 'Values Between Commas', value: 'split', description: '"open,closed" becomes ["open", "closed"]' },
  { name: 'Wrapped Arguments', value: 'wrappers', description: '{"arguments": {...}} becomes {...}' },
];

const repair = {
  displayName: 'Repairs',
  name: 'repair',
  type: 'options',
  options: [
    { name: 'All', value: 'all', description: 'Every kind of repair' },
    { name: 'Choose', value: 'choose', description: 'The kinds chosen below' },
    { name: 'Integers', value: 'integers', description: '"100" becomes 100' },
    { name: 'Off', value: 'off', description: 'Arguments are checked but never changed' },
    { name: 'Safe', value: 'safe', description: 'Every kind that changes the notation of a value alone' },
  ],
  default: 'safe',
  description: 'Which common model mistakes are repaired, if the schema refuses the value and accepts the repaired one',
} satisfies INodeProperties;

const kinds = {
  displayName: 'Kinds',
  name: 'kinds',
  type: 'multiOptions',
  options: [...otherKinds, integers].sort((a, b) => a.name.localeCompare(b.name)),
  default: ['integers'],
  displayOptions: { show: { repair: ['choose'] } },
  description: 'Common model mistakes, repaired only where the schema refuses the value and accepts the repaired one',
} satisfies INodeProperties;

export const repairs = group('Repairs', 'repairing', [{ ...repair, displayName: 'Repair' }, kinds], repair.description);

/** A parameter with its default is not saved: what its absence means must not change within a version. */
export const singleRepairs: INodeProperties[] = [
  {
    displayName: 'Lenient Integers',
    name: 'integers',
    type: 'boolean',
    default: true,
    description:
      'Whether "100" becomes 100 where the schema wants an integer and refuses the string. Applies only if "Repairs" is "Choose".',
  },
  {
    displayName: 'More Repairs',
    name: 'repairs',
    type: 'multiOptions',
    options: otherKinds,
    default: [],
    description: `${kinds.description}. Applies only if "Repairs" is "Choose".`,
  },
  { ...repair, default: 'integers', displayOptions: { show: { '@version': [1] } } },
  { ...repair, displayOptions: { show: { '@version': [{ _cnd: { gte: 1.1 } }] } } },
];
