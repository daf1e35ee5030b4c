import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { group } from './group.js';
import { repairs, singleRepairs } from './repairs.js';

/**
 * Since 1.1 a node repairs every safe kind where nothing is chosen; nodes of version 1 keep repairing integers alone. Since
 * 1.2 options that belong together are one, and structured content is a call's whole output.
 */
export const versions = { version: [1, 1.1, 1.2], defaultVersion: 1.2 };

/**
 * The options of a node: one collection as it is since version 1.2, and one as it was before.
 *
 * @param show what both are shown for
 */
export function optionCollections(
  grouped: INodeProperties[],
  single: INodeProperties[],
  show: NonNullable<IDisplayOptions['show']> = {},
): INodeProperties[] {
  const collection = {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
  } satisfies INodeProperties;
  return [
    { ...collection, displayOptions: { show: { ...show, '@version': sinceGroups } }, options: sorted(grouped) },
    { ...collection, displayOptions: { show: { ...show, '@version': beforeGroups } }, options: sorted(single) },
  ];
}

export const beforeGroups = [1, 1.1];
export const sinceGroups = [{ _cnd: { gte: 1.2 } }];

function sorted(options: INodeProperties[]): INodeProperties[] {
  return [...options].sort((a, b) => a.displayName.localeCompare(b.displayName));
}

const formats: INodeProperties = {
  displayName: 'Check Formats',
  name: 'assertFormats',
  type: 'boolean',
  default: false,
  description:
    'Whether to refuse values that do not match the formats in the schema, such as email or date-time. JSON Schema treats formats as annotations only.',
};

const results: INodeProperties = {
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
};

const undetermined: INodeProperties = {
  displayName: 'Uncheckable Arguments',
  name: 'whenUndetermined',
  type: 'options',
  options: [
    { name: 'Refuse the Call', value: 'refuse' },
    { name: 'Call Anyway', value: 'allow', description: 'The server decides' },
  ],
  default: 'refuse',
  description:
    'What to do when a schema cannot be evaluated, for example because it refers to a definition that does not exist',
};

/** @param more checks that only one of the nodes makes */
export function checks(more: INodeProperties[] = []): INodeProperties {
  const what = 'What is checked besides the arguments themselves, and what happens when they do not fit';
  return group('Checks', 'checks', [formats, results, ...more, undetermined], what);
}

const keepConnection: INodeProperties = {
  displayName: 'Keep Connection (Seconds)',
  name: 'keepAlive',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 300,
  description:
    'How many seconds an unused connection stays open for the next execution of this node. Without this option it closes when the execution ends, so executions never share a server session.',
};

const whenAsked = {
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
} satisfies INodeProperties;

const answers = {
  displayName: 'Fixed Answers',
  name: 'answers',
  type: 'json',
  default: '{}',
  description:
    'Answers by the names of the fields that a server asks for, such as {"confirm": true}. Fields without one get their default.',
} satisfies INodeProperties;

const elicitation = group(
  'When the Server Asks',
  'elicitation',
  [
    { ...whenAsked, displayName: 'Answer' },
    { ...answers, displayOptions: { show: { whenAsked: ['fixed'] } } },
  ],
  whenAsked.description,
);

const silence = 'the server may be silent while it works on a request. Progress that it reports starts the time anew.';
const inAll = 'a call may take in all, whatever progress the server reports.';

export const timeLimits = group(
  'Time Limits (Seconds)',
  'timeLimits',
  [
    {
      displayName: 'Idle Timeout',
      name: 'idleTimeout',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 60,
      description: `How many seconds ${silence}`,
    },
    {
      displayName: 'Maximum Duration',
      name: 'maximumDuration',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 3600,
      description: `How many seconds ${inAll}`,
    },
  ],
  'How long the server may be silent, and how long a call may take in all',
);

const singleTimeout: INodeProperties = {
  displayName: 'Timeout (Milliseconds)',
  name: 'timeout',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 60000,
  description: `How many milliseconds ${silence}`,
};

const singleLimit: INodeProperties = {
  displayName: 'Total Limit (Milliseconds)',
  name: 'totalLimit',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 600000,
  description: `How many milliseconds ${inAll} Without this option, an hour.`,
};

const headers: INodeProperties = {
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
};

const metadata: INodeProperties = {
  displayName: 'Metadata',
  name: 'metadata',
  type: 'json',
  default: '{}',
  description:
    'What each call carries as _meta, for servers that read it. A traceparent here is the trace that the server goes on with.',
};

const sendAlong = group(
  'Send Along',
  'sendAlong',
  [headers, metadata],
  'HTTP headers and metadata that go with each call',
);

/** Options of a connection, which every operation has. */
export const connectionOptions = {
  grouped: [keepConnection, timeLimits],
  single: [keepConnection, singleTimeout],
};

/** Options of a call that both nodes share; {@link checks} stand beside them. */
export const callOptions = {
  grouped: [keepConnection, repairs, elicitation, timeLimits, sendAlong],
  single: [
    formats,
    results,
    keepConnection,
    ...singleRepairs,
    undetermined,
    whenAsked,
    singleTimeout,
    singleLimit,
    { ...answers, description: `${answers.description} Applies only if "When the Server Asks" is "Fixed Answers".` },
    headers,
    metadata,
  ],
};
