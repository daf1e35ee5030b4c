import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { transport } from '../connection/parameters.js';
import { notice } from '../notice.js';
import { sharedOptions } from '../options/description.js';

const onExpressions =
  'Choose from the list, or specify names using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

export const includeOptions: INodePropertyOptions[] = [
  { name: 'All', value: 'all', description: 'Every tool of the server that can be called' },
  { name: 'Selected', value: 'selected', description: 'Only the tools chosen below' },
  { name: 'All Except', value: 'except', description: 'Every tool but those chosen below' },
];

export const properties: INodeProperties[] = [
  transport,
  {
    displayName: 'Tools to Include',
    name: 'include',
    type: 'options',
    typeOptions: { loadOptionsMethod: 'getIncludeChoices', loadOptionsDependsOn: ['transport'] },
    default: 'all',
    description: 'Which of the tools the agent is told about',
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
  notice('about', 'getToolsNotice', ['include', 'includeTools', 'excludeTools'], 'tools', {
    displayOptions: { hide: { '/options.providerSafe': [true] } },
  }),
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
          'Whether a schema that the provider of the model is known to refuse is shown to it in a form that it takes. The original still decides about the arguments.',
      },
      {
        displayName: 'On Invalid Arguments',
        name: 'invalidArguments',
        type: 'options',
        options: [
          {
            name: 'Tell the Model',
            value: 'tell',
            description: 'The model reads what does not fit, and may try again',
          },
          { name: 'Fail', value: 'fail', description: 'The workflow stops with an error' },
        ],
        default: 'tell',
        description: 'What to do when the arguments of the model do not fit the schema, even after repairs',
      },
      {
        displayName: 'Tool Name Prefix',
        name: 'prefix',
        type: 'string',
        default: '',
        placeholder: 'crm',
        description:
          'Put in front of every name the model is told: crm makes crm_search. The server still gets its own names.',
      },
    ]),
  },
];

function sorted(options: INodeProperties[]): INodeProperties[] {
  return [...options].sort((a, b) => a.displayName.localeCompare(b.displayName));
}
