import type { INodeProperties } from 'n8n-workflow';

/**
 * Since 1.1 a node repairs every safe kind where nothing is chosen; nodes of version 1 keep repairing integers alone. Since
 * 1.2 structured content is a call's whole output.
 */
export const versions = { version: [1, 1.1, 1.2], defaultVersion: 1.2 };

const repair = {
  displayName: 'Repairs',
  name: 'repair',
  type: 'options',
  options: [
    { name: 'All', value: 'all', description: 'Every kind of repair' },
    { name: 'Choose', value: 'choose', description: 'Those set in "Lenient Integers" and "More Repairs"' },
    { name: 'Integers', value: 'integers', description: '"100" becomes 100' },
    { name: 'Off', value: 'off', description: 'Arguments are checked but never changed' },
    { name: 'Safe', value: 'safe', description: 'Every kind that changes the notation of a value alone' },
  ],
  default: 'safe',
  description: 'Which common model mistakes are repaired, if the schema refuses the value and accepts the repaired one',
} satisfies INodeProperties;

/** Options that both nodes share. */
export const sharedOptions: INodeProperties[] = [
  {
    displayName: 'Check Formats',
    name: 'assertFormats',
    type: 'boolean',
    default: false,
    description:
      'Whether to refuse values that do not match the formats in the schema, such as email or date-time. JSON Schema treats formats as annotations only.',
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
    description: "What to do when structured content does not fit the tool's output schema",
  },
  {
    displayName: 'Keep Connection',
    name: 'keepAlive',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 300,
    description:
      'How many seconds an unused connection stays open for the next execution of this node. Without this option it closes when the execution ends, so executions never share a server session.',
  },
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
    options: [
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
    ],
    default: [],
    description:
      'Common model mistakes, repaired only where the schema refuses the value and accepts the repaired one. Applies only if "Repairs" is "Choose".',
  },
  // A parameter with its default is not saved: what its absence means must not change within a version.
  { ...repair, default: 'integers', displayOptions: { show: { '@version': [1] } } },
  { ...repair, displayOptions: { show: { '@version': [{ _cnd: { gte: 1.1 } }] } } },
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
      'What to do when the schema cannot be evaluated, for example because it refers to a definition that does not exist',
  },
  {
    displayName: 'When the Server Asks',
    name: 'whenAsked',
    type: 'options',
    options: [
      { name: 'Decline', value: 'decline', description: 'The answer says what was asked' },
      { name: 'Use the Defaults', value: 'defaults', description: 'Those of the form; without any it is declined' },
      { name: 'Fixed Answers', value: 'fixed', description: 'Those set in "Fixed Answers"' },
    ],
    default: 'decline',
    description:
      'What to do when a server wants a value or a confirmation in the middle of a call. Pages that it wants to be visited are always declined; the answer names them.',
  },
  {
    displayName: 'Timeout',
    name: 'timeout',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 60000,
    description:
      'How many milliseconds the server may be silent while it works on a request. Progress that it reports starts the time anew.',
  },
  {
    displayName: 'Total Limit',
    name: 'totalLimit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 600000,
    description:
      'How many milliseconds a call may take in all, whatever progress the server reports. Without this option, an hour.',
  },
  {
    displayName: 'Fixed Answers',
    name: 'answers',
    type: 'json',
    default: '{}',
    description:
      'Answers by the names of the fields that a server asks for, such as {"confirm": true}. Fields without one get their default. Applies only if "When the Server Asks" is "Fixed Answers".',
  },
  {
    displayName: 'Headers',
    name: 'headers',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true },
    placeholder: 'Add Header',
    default: {},
    description: 'HTTP headers of each call, beside those of the credential. Values can be expressions.',
    options: [
      {
        displayName: 'Header',
        name: 'values',
        values: [
          { displayName: 'Name', name: 'name', type: 'string', default: '', placeholder: 'X-Request-ID' },
          { displayName: 'Value', name: 'value', type: 'string', default: '' },
        ],
      },
    ],
  },
  {
    displayName: 'Metadata',
    name: 'metadata',
    type: 'json',
    default: '{}',
    description:
      'What each call carries as _meta, for servers that read it. A traceparent here is the trace that the server goes on with.',
  },
];
