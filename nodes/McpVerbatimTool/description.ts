import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { transport } from '../connection/parameters.js';
import { notice } from '../notice.js';
import { sharedOptions } from '../options/description.js';

const onExpressions =
  'Choose from the list, or specify names using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

export const includeOptions: INodePropertyOptions[] = [
  { name: 'All', value: 'all', description: 'Every tool of the server that can be called' },
  { name: 'Selected', value: 'selected', description: 'Only the tools chosen below' },
  { name: 'All Except', value: 'except', description: 'Every tool except those chosen below' },
];

export const properties: INodeProperties[] = [
  transport,
  {
    displayName: 'Tools to Include',
    name: 'include',
    type: 'options',
    typeOptions: {
      loadOptionsMethod: 'getIncludeChoices',
      loadOptionsDependsOn: ['transport', 'include', 'includeTools', 'excludeTools', 'options.providerSafe'],
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
        default: false,
        description:
          'Whether to show the model an adapted schema where its provider is known to refuse the original. Arguments are still checked against the original.',
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
