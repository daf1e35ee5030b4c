import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { transport } from '../connection/parameters.js';
import { notice } from '../editor/notice.js';
import { sharedOptions } from '../options/description.js';

const onExpressions =
  'Choose from the list, or specify names using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

export const includeOptions: INodePropertyOptions[] = [
  { name: 'All', value: 'all', description: 'Every tool of the server that can be called' },
  { name: 'Selected', value: 'selected', description: 'Only the tools chosen below' },
  { name: 'All Except', value: 'except', description: 'Every tool except those chosen below' },
  { name: 'Read-Only', value: 'readOnly', description: 'The tools that, the server says, change nothing' },
  {
    name: 'All Others',
    value: 'others',
    description: 'The tools that are not read-only, for a node behind a human review',
  },
];

export const properties: INodeProperties[] = [
  transport,
  {
    displayName: 'Tools to Include',
    name: 'include',
    type: 'options',
    typeOptions: {
      loadOptionsMethod: 'getIncludeChoices',
      loadOptionsDependsOn: [
        'transport',
        'include',
        'includeTools',
        'excludeTools',
        'options.providerSafe',
        'options.approved',
      ],
    },
    default: 'all',
    description: 'Which tools the agent can use',
  },
  {
    displayName: 'Tools',
    name: 'includeTools',
    type: 'multiOptions',
    typeOptions: { loadOptionsMethod: 'getTools', loadOptionsDependsOn: ['transport'] },
    default: [],
    description: onExpressions,
    displayOptions: { show: { include: ['selected'] } },
  },
  {
    displayName: 'Tools to Leave Out',
    name: 'excludeTools',
    type: 'multiOptions',
    typeOptions: { loadOptionsMethod: 'getTools', loadOptionsDependsOn: ['transport'] },
    default: [],
    description: onExpressions,
    displayOptions: { show: { include: ['except'] } },
  },
  {
    // Which workflow it is, n8n's editor tells only to expressions.
    displayName: 'Workflow',
    name: 'workflowId',
    type: 'hidden',
    default: '={{ $workflow.id }}',
  },
  notice('about', 'getOrderNotice', ['workflowId'], 'the workflow'),
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    options: sorted([
      ...sharedOptions,
      {
        displayName: 'Adapt Schemas to the Model',
        name: 'providerSafe',
        type: 'boolean',
        default: true,
        description:
          'Whether to show the model an adapted schema where its provider is known to refuse the original. Arguments are still checked against the original.',
      },
      {
        displayName: 'Always Offer',
        name: 'pinned',
        type: 'multiOptions',
        typeOptions: { loadOptionsMethod: 'getTools', loadOptionsDependsOn: ['transport'] },
        default: [],
        description: `Tools that the model is told even if "Offer Tools" has it search for the others. ${onExpressions}.`,
      },
      {
        displayName: 'Approved Tools',
        name: 'approved',
        type: 'options',
        typeOptions: { loadOptionsMethod: 'getApprovals', loadOptionsDependsOn: ['transport', 'options.approved'] },
        default: '',
        description:
          'Whether only tools that you approve now can be used, as they are now. New tools are not offered until you approve again. Choose from the list.',
      },
      {
        displayName: 'If Approved Tools Have Changed',
        name: 'whenChanged',
        type: 'options',
        options: [
          { name: 'Fail', value: 'fail', description: 'The workflow stops with an error' },
          { name: 'Set Aside', value: 'setAside', description: 'The agent goes on without them' },
          { name: 'Warn', value: 'warn', description: 'The agent uses them, and the node shows a hint' },
        ],
        default: 'setAside',
        description: 'What to do with tools that are no longer what was chosen in "Approved Tools"',
      },
      {
        displayName: 'Fixed Arguments',
        name: 'fixedArguments',
        type: 'fixedCollection',
        typeOptions: { multipleValues: true },
        placeholder: 'Add Argument',
        default: {},
        description:
          'Arguments that the model is not told of and cannot set. They are cut from the schema that it sees, filled in after repairs and checked against the original.',
        options: [
          {
            displayName: 'Argument',
            name: 'values',
            values: [
              {
                displayName: 'Tool',
                name: 'tool',
                type: 'options',
                typeOptions: { loadOptionsMethod: 'getTools', loadOptionsDependsOn: ['transport'] },
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
      },
      {
        displayName: 'If the Server Is Away',
        name: 'whenAway',
        type: 'options',
        options: [
          { name: 'Fail', value: 'fail', description: 'The workflow stops with an error' },
          {
            name: 'Go On Without It',
            value: 'goOn',
            description: 'The model is told that the tools of this server are not available',
          },
        ],
        default: 'fail',
        description: 'What to do when the server cannot be reached while the agent asks for its tools',
      },
      {
        displayName: 'Longest Answer',
        name: 'longestAnswer',
        type: 'number',
        typeOptions: { minValue: 100 },
        default: 20000,
        description:
          'How many characters of an answer the model reads. JSON stays JSON, and what is missing is said. The whole answer is in the output of the node, as a file.',
      },
      {
        displayName: 'Offer Tools',
        name: 'discovery',
        type: 'options',
        options: [
          { name: 'All', value: 'all', description: 'The model is told every tool' },
          {
            name: 'Automatic',
            value: 'auto',
            description: 'On demand if telling all of them would take more than 5,000 tokens',
          },
          {
            name: 'On Demand',
            value: 'on-demand',
            description: 'The model is told three tools, with which it searches, describes and calls the others',
          },
        ],
        default: 'all',
        description: 'How the model learns of the tools',
      },
      {
        displayName: 'On Invalid Arguments',
        name: 'invalidArguments',
        type: 'options',
        options: [
          {
            name: 'Tell the Model',
            value: 'tell',
            description: 'The model is told what does not fit and can try again',
          },
          { name: 'Fail', value: 'fail', description: 'The workflow stops with an error' },
        ],
        default: 'tell',
        description: "What to do when the model's arguments do not fit the schema, even after repairs",
      },
      {
        displayName: "Tell the Server's Instructions",
        name: 'instructions',
        type: 'boolean',
        default: true,
        description:
          'Whether the model is told how the server wants its tools to be used, in the description of one more tool',
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
    ]),
  },
];

function sorted(options: INodeProperties[]): INodeProperties[] {
  return [...options].sort((a, b) => a.displayName.localeCompare(b.displayName));
}
