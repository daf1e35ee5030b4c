import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { rowsOf } from '../../credentials/rows.js';
import { transport } from '../connection/parameters.js';
import { notice, renewedWithCredential } from '../editor/form-description.js';
import { type Choice, choiceField, group, numberField, toggle } from '../fields.js';
import { callOptions, checks, optionCollections } from '../options/description.js';

export const includeOptions: readonly Choice[] = [
  ['All', 'all', 'Every tool of the server that can be called'],
  ['Selected', 'selected', 'Only the tools chosen below'],
  ['All Except', 'except', 'Every tool except those chosen below'],
  ['Read-Only', 'readOnly', 'The tools that, the server says, change nothing'],
  ['All Others', 'others', 'The tools that are not read-only, for a node behind a human review'],
];

const onExpressions =
  'Choose from the list, or specify names using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

/** Where the approval stands, in a node as it is since version 1.2 and as it was before. */
const approvedPaths = ['options.approval.values.approved', 'options.approved'];

const fromTools = { loadOptionsMethod: 'getTools', loadOptionsDependsOn: ['transport'] };

const invalidArguments = choiceField(
  'Invalid Arguments',
  'invalidArguments',
  'tell',
  [
    ['Show the Model Why', 'tell', 'The model reads what does not fit and can try again'],
    ['Fail', 'fail', 'The workflow stops with an error'],
  ],
  "What to do when the model's arguments do not fit the schema, even after repairs",
);

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
    choiceField(
      'If They Have Changed',
      'whenChanged',
      'setAside',
      [
        ['Fail', 'fail', 'The workflow stops with an error'],
        ['Skip', 'setAside', 'The agent goes on without them'],
        ['Warn', 'warn', 'The agent uses them, and the node shows a hint'],
      ],
      'What to do with tools that are no longer what was approved',
      { hide: { approved: [''] } },
    ),
  ],
  'Whether only tools that you approved can be used, as they were then',
);

const whetherSearched = 'Whether the model searches for tools instead of seeing all of them';

const toolSearch = group(
  'Tool Search',
  'search',
  [
    choiceField(
      'Mode',
      'discovery',
      'all',
      [
        ['Off', 'all', 'The model sees every tool'],
        ['Automatic', 'auto', 'On if all tools would take more than 5,000 tokens'],
        ['On', 'on-demand', 'The model sees three tools, with which it searches, describes and calls the others'],
      ],
      whetherSearched,
    ),
    namedTools(
      'Always Expose',
      'pinned',
      { show: { discovery: ['auto', 'on-demand'] } },
      `Tools that the model sees even if it has to search for the others. ${onExpressions}.`,
    ),
  ],
  whetherSearched,
);

const fixedArguments = rowsOf(
  'Argument',
  {
    displayName: 'Fixed Arguments',
    name: 'fixedArguments',
    description:
      'Arguments that the model does not see and cannot set. They are cut from its schema, filled in after repairs and checked against the original.',
  },
  [
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
);

const ungrouped: INodeProperties[] = [
  fixedArguments,
  toggle(
    'Adapt Schemas to the Model',
    'providerSafe',
    true,
    'Whether to show the model an adapted schema where its provider is known to refuse the original. Arguments are still checked against the original.',
  ),
  choiceField(
    'If the Server Is Unreachable',
    'whenAway',
    'fail',
    [
      ['Fail', 'fail', 'The workflow stops with an error'],
      ['Go On Without It', 'goOn', 'The model reads that the tools of this server are not available'],
    ],
    'What to do when the server cannot be reached while the agent asks for its tools',
  ),
  numberField(
    'Maximum Result Length (Characters)',
    'longestAnswer',
    20000,
    100,
    'How many characters of a result the model reads. Cut JSON stays JSON and says what is missing. The whole result is a file in the output of the node. Without this option, there is no limit.',
  ),
  toggle(
    "Show the Server's Instructions",
    'instructions',
    true,
    'Whether the model reads how the server wants its tools to be used, in the description of one more tool',
  ),
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

const toolOptions = optionCollections([...callOptions, checks([invalidArguments]), ...ungrouped, approval, toolSearch]);

const whatTheNoticeDependsOn = [
  'include',
  'includeTools',
  'excludeTools',
  'options.providerSafe',
  'options.instructions',
  ...approvedPaths,
];

export const properties: INodeProperties[] = [
  transport,
  choiceField('Tools to Include', 'include', 'all', includeOptions, 'Which tools the agent can use'),
  namedTools('Tools', 'includeTools', { show: { include: ['selected'] } }),
  namedTools('Tools to Leave Out', 'excludeTools', { show: { include: ['except'] } }),
  renewedWithCredential(notice('about', 'getToolsNotice', whatTheNoticeDependsOn, 'the tools')),
  ...toolOptions,
];

function namedTools(
  displayName: string,
  name: string,
  displayOptions: IDisplayOptions,
  description = onExpressions,
): INodeProperties {
  return { displayName, name, type: 'multiOptions', typeOptions: fromTools, default: [], displayOptions, description };
}
