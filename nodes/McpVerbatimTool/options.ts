import type { INodeProperties } from 'n8n-workflow';
import { callOptions, checks, numberField, optionCollections } from '../options/description.js';
import { group } from '../options/group.js';

export const onExpressions =
  'Choose from the list, or specify names using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

/** Where the approval stands, in a node as it is since version 1.2 and as it was before. */
export const approvedPaths = ['options.approval.values.approved', 'options.approved'];

const fromTools = { loadOptionsMethod: 'getTools', loadOptionsDependsOn: ['transport'] };

const invalidArguments: INodeProperties = {
  displayName: 'Invalid Arguments',
  name: 'invalidArguments',
  type: 'options',
  options: [
    {
      name: 'Show the Model Why',
      value: 'tell',
      description: 'The model reads what does not fit and can try again',
    },
    { name: 'Fail', value: 'fail', description: 'The workflow stops with an error' },
  ],
  default: 'tell',
  description: "What to do when the model's arguments do not fit the schema, even after repairs",
};

const approval = group(
  'Approved Tools',
  'approval',
  [
    {
      displayName: 'Approved',
      name: 'approved',
      type: 'options',
      typeOptions: { loadOptionsMethod: 'getApprovals', loadOptionsDependsOn: ['transport', ...approvedPaths] },
      default: '',
      description:
        'Whether only tools that you approve now can be used, as they are now. New tools are skipped until you approve again. Choose from the list.',
    },
    {
      displayName: 'If They Have Changed',
      name: 'whenChanged',
      type: 'options',
      options: [
        { name: 'Fail', value: 'fail', description: 'The workflow stops with an error' },
        { name: 'Skip', value: 'setAside', description: 'The agent goes on without them' },
        { name: 'Warn', value: 'warn', description: 'The agent uses them, and the node shows a hint' },
      ],
      default: 'setAside',
      displayOptions: { hide: { approved: [''] } },
      description: 'What to do with tools that are no longer what was approved',
    },
  ],
  'Whether only tools that you approved can be used, as they were then',
);

const toolSearch = group(
  'Tool Search',
  'search',
  [
    {
      displayName: 'Mode',
      name: 'discovery',
      type: 'options',
      options: [
        { name: 'Off', value: 'all', description: 'The model sees every tool' },
        { name: 'Automatic', value: 'auto', description: 'On if all tools would take more than 5,000 tokens' },
        {
          name: 'On',
          value: 'on-demand',
          description: 'The model sees three tools, with which it searches, describes and calls the others',
        },
      ],
      default: 'all',
      description: 'Whether the model searches for tools instead of seeing all of them',
    },
    {
      displayName: 'Always Expose',
      name: 'pinned',
      type: 'multiOptions',
      typeOptions: fromTools,
      default: [],
      displayOptions: { show: { discovery: ['auto', 'on-demand'] } },
      description: `Tools that the model sees even if it has to search for the others. ${onExpressions}.`,
    },
  ],
  'Whether the model searches for tools instead of seeing all of them',
);

const fixedArguments: INodeProperties = {
  displayName: 'Fixed Arguments',
  name: 'fixedArguments',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add Argument',
  default: {},
  description:
    'Arguments that the model does not see and cannot set. They are cut from its schema, filled in after repairs and checked against the original.',
  options: [
    {
      displayName: 'Argument',
      name: 'values',
      values: [
        {
          displayName: 'Tool',
          name: 'tool',
          type: 'options',
          typeOptions: fromTools,
          default: '',
          description: onExpressions,
        },
        { displayName: 'Argument', name: 'argument', type: 'string', default: '', placeholder: 'tenant' },
        {
          displayName: 'Value',
          name: 'value',
          type: 'string',
          default: '',
          description: 'Text is read as a number, a boolean or JSON where the argument is not text',
        },
      ],
    },
  ],
};

const ungrouped: INodeProperties[] = [
  fixedArguments,
  {
    displayName: 'Adapt Schemas to the Model',
    name: 'providerSafe',
    type: 'boolean',
    default: true,
    description:
      'Whether to show the model an adapted schema where its provider is known to refuse the original. Arguments are still checked against the original.',
  },
  {
    displayName: 'If the Server Is Unreachable',
    name: 'whenAway',
    type: 'options',
    options: [
      { name: 'Fail', value: 'fail', description: 'The workflow stops with an error' },
      {
        name: 'Go On Without It',
        value: 'goOn',
        description: 'The model reads that the tools of this server are not available',
      },
    ],
    default: 'fail',
    description: 'What to do when the server cannot be reached while the agent asks for its tools',
  },
  numberField(
    'Maximum Result Length (Characters)',
    'longestAnswer',
    20000,
    100,
    'How many characters of a result the model reads. Cut JSON stays JSON and says what is missing. The whole result is a file in the output of the node. Without this option, there is no limit.',
  ),
  {
    displayName: "Show the Server's Instructions",
    name: 'instructions',
    type: 'boolean',
    default: true,
    description:
      'Whether the model reads how the server wants its tools to be used, in the description of one more tool',
  },
  {
    displayName: 'Tool Name Prefix',
    name: 'prefix',
    type: 'string',
    default: '',
    placeholder: 'crm',
    description:
      'Added in front of every tool name that the model sees: crm gives crm_search. The server still gets its own names.',
  },
];

/** What can be set of the tools of an agent. */
export const toolOptions = optionCollections([
  ...callOptions,
  checks([invalidArguments]),
  ...ungrouped,
  approval,
  toolSearch,
]);
