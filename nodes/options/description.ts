import type { INodeProperties } from 'n8n-workflow';

/** Options that both nodes share. With none touched, integers are repaired and everything else is strict. */
export const sharedOptions: INodeProperties[] = [
  {
    displayName: 'Check Formats',
    name: 'assertFormats',
    type: 'boolean',
    default: false,
    description:
      'Whether values must fit the formats that the schema names, such as email or date-time. Formats are only remarks to JSON Schema.',
  },
  {
    displayName: 'Check Results',
    name: 'outputSchema',
    type: 'options',
    options: [
      { name: 'Do Not Check', value: 'ignore' },
      { name: 'Warn', value: 'warn', description: 'Show a hint on the node' },
      { name: 'Fail', value: 'fail', description: 'Treat the result as an error' },
    ],
    default: 'warn',
    description: 'What to do when structured content does not fit the output schema of its tool',
  },
  {
    displayName: 'Keep Connection',
    name: 'keepAlive',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 300,
    description:
      'How many seconds an unused connection stays open for the next execution of this node. Without this option it ends with the execution; what a server remembers of a session is then never seen by another one.',
  },
  {
    displayName: 'Lenient Integers',
    name: 'integers',
    type: 'boolean',
    default: true,
    description:
      'Whether "100" becomes 100 where the schema wants an integer and refuses the string. Counts where "Repairs" is "Choose" or not set.',
  },
  {
    displayName: 'More Repairs',
    name: 'repairs',
    type: 'multiOptions',
    options: [
      { name: 'Booleans', value: 'booleans', description: '"true" becomes true' },
      { name: 'Enum Spelling', value: 'enums', description: '"like new" becomes "Like New"' },
      { name: 'JSON in Strings', value: 'json', description: '"[1, 2]" becomes [1, 2]' },
      { name: 'Lists of One', value: 'lists', description: '["a"] becomes "a" where a single value is wanted' },
      { name: 'Null for an Optional', value: 'nulls', description: 'A null that is not allowed is left out' },
      { name: 'Numbers', value: 'numbers', description: '"1.5" becomes 1.5' },
      { name: 'Property Names', value: 'names', description: 'maxResults becomes max_results' },
      { name: 'Single Values', value: 'singletons', description: '"a" becomes ["a"] where a list is wanted' },
      { name: 'Strings', value: 'strings', description: '25 becomes "25" where only text is accepted' },
      { name: 'Wrapped Arguments', value: 'wrappers', description: '{"arguments": {...}} becomes {...}' },
    ],
    default: [],
    description:
      'Mistakes that models make, repaired only where the schema refuses the value and accepts the repaired one. Counts where "Repairs" is "Choose" or not set.',
  },
  {
    displayName: 'Repairs',
    name: 'repair',
    type: 'options',
    options: [
      { name: 'All', value: 'all', description: 'Every kind of repair there is' },
      { name: 'Choose', value: 'choose', description: 'What "Lenient Integers" and "More Repairs" say' },
      { name: 'Integers', value: 'integers', description: '"100" becomes 100' },
      { name: 'Off', value: 'off', description: 'Arguments are only checked' },
      { name: 'Safe', value: 'safe', description: 'Every kind that was never seen to make a call worse' },
    ],
    default: 'integers',
    description:
      'Which mistakes of models are repaired, where the schema refuses the value and accepts the repaired one',
  },
  {
    displayName: 'When Arguments Cannot Be Checked',
    name: 'whenUndetermined',
    type: 'options',
    options: [
      { name: 'Refuse the Call', value: 'refuse' },
      { name: 'Call Anyway', value: 'allow', description: 'The server decides' },
    ],
    default: 'refuse',
    description:
      'What to do with arguments that the schema cannot decide about, for example because it refers to a definition that does not exist, or that no arguments can satisfy, because it contradicts itself',
  },
  {
    displayName: 'Timeout',
    name: 'timeout',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 60000,
    description: 'Time in milliseconds to wait for each answer of the server',
  },
];
