import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { nameValueRows } from '../../credentials/rows.js';
import { type Choice, choiceField, group, jsonField, listed, numberField, toggle, ungroupedFields } from '../fields.js';

/**
 * Version 1 repairs integers where nothing is chosen; 1.1 repairs every safe kind. Since 1.2, options that belong together
 * are one, and structured content is a call's whole output.
 */
export const versions = { version: [1, 1.1, 1.2], defaultVersion: 1.2 };

export const beforeGroups = [1, 1.1];
export const sinceGroups = [{ _cnd: { gte: 1.2 } }];

export function optionCollections(
  options: INodeProperties[],
  show: NonNullable<IDisplayOptions['show']> = {},
): INodeProperties[] {
  const collection = {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
  } satisfies INodeProperties;
  const before = options.flatMap((option) => {
    if (option === repairs) return singleRepairs;
    if (option === timeLimits) return singleLimits;
    return option.type === 'fixedCollection' && !option.typeOptions ? ungroupedFields(option) : [option];
  });
  return [
    { ...collection, displayOptions: { show: { ...show, '@version': sinceGroups } }, options: sorted(options) },
    { ...collection, displayOptions: { show: { ...show, '@version': beforeGroups } }, options: sorted(before) },
  ];
}

function sorted(options: INodeProperties[]): INodeProperties[] {
  return [...options].sort((a, b) => a.displayName.localeCompare(b.displayName));
}

export function checks(more: INodeProperties[] = []): INodeProperties {
  return group(
    'Checks',
    'checks',
    [
      toggle(
        'Check Formats',
        'assertFormats',
        false,
        'Whether to refuse values that do not match the formats in the schema, such as email or date-time. JSON Schema treats formats as annotations only.',
      ),
      choiceField(
        'Check Results',
        'outputSchema',
        'warn',
        [
          ['Do Not Check', 'ignore'],
          ['Warn', 'warn', 'Show a hint on the node'],
          ['Fail', 'fail', 'Treat the result as an error'],
        ],
        "What to do when structured content does not fit the tool's output schema",
      ),
      ...more,
      choiceField(
        'Uncheckable Arguments',
        'whenUndetermined',
        'refuse',
        [
          ['Refuse the Call', 'refuse'],
          ['Call Anyway', 'allow', 'The server decides'],
        ],
        'What to do when a schema cannot be evaluated, for example because it refers to a definition that does not exist',
      ),
    ],
    'What is checked besides the arguments themselves, and what happens when they do not fit',
  );
}

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

const repairs = group('Repairs', 'repairing', [repairField('Repair', 'safe'), kinds], about);

const singleRepairs: INodeProperties[] = [
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

const keepConnection = numberField(
  'Keep Connection (Seconds)',
  'keepAlive',
  300,
  0,
  'How many seconds an unused connection stays open for the next execution of this node. Without this option it closes when the execution ends, so executions never share a server session.',
);

const elicitation = group(
  'When the Server Asks',
  'elicitation',
  [
    choiceField(
      'Answer',
      'whenAsked',
      'decline',
      [
        ['Decline', 'decline', 'The answer says what the server asked'],
        [
          'Use the Defaults',
          'defaults',
          'Answers with the default values of the form, and declines a form that has none',
        ],
        ['Fixed Answers', 'fixed', 'Those set in "Fixed Answers"'],
      ],
      'What to answer. A page that the server wants to be visited is always declined; the answer names it.',
    ),
    jsonField(
      'Fixed Answers',
      'answers',
      'Answers by the names of the fields that a server asks for, such as {"confirm": true}. Fields without one get their default.',
      { show: { whenAsked: ['fixed'] } },
    ),
  ],
  'What to do when a server wants a value or a confirmation in the middle of a call',
);

const silence = 'the server may be silent while it works on a request. Progress that it reports starts the time again.';
const inAll = 'a call may take in all, whatever progress the server reports.';

const timeLimits = group(
  'Time Limits (Seconds)',
  'timeLimits',
  [
    numberField('Idle Timeout', 'idleTimeout', 60, 0, `How many seconds ${silence}`),
    numberField('Maximum Duration', 'maximumDuration', 3600, 0, `How many seconds ${inAll}`),
  ],
  'How long the server may be silent (60 seconds), and how long a call may take in all (3,600 seconds)',
);

/** The same before version 1.2, in milliseconds. */
const singleLimits = [
  numberField('Idle Timeout (Milliseconds)', 'timeout', 60000, 1, `How many milliseconds ${silence}`),
  numberField(
    'Maximum Duration (Milliseconds)',
    'totalLimit',
    600000,
    1,
    `How many milliseconds ${inAll} Without this option, an hour.`,
  ),
];

const sendAlong = group(
  'Send Along',
  'sendAlong',
  [
    nameValueRows(
      'Header',
      {
        displayName: 'Headers',
        name: 'headers',
        description: 'HTTP headers of each call, beside those of the credential. Values can be expressions.',
      },
      { example: 'X-Request-ID', isSecret: false },
    ),
    jsonField(
      'Metadata',
      'metadata',
      'Sent with each call as _meta, for servers that read it, such as {"traceparent": "00-…"}',
    ),
  ],
  'HTTP headers and metadata that go with each call',
);

export const connectionOptions = [keepConnection, timeLimits];

export const callOptions = [...connectionOptions, repairs, elicitation, sendAlong];
