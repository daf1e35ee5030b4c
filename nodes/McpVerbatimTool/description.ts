import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { transport } from '../connection/parameters.js';
import { notice } from '../editor/notice.js';
import { approvedPaths, onExpressions, toolOptions } from './options.js';

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

const whatWarningsDependOn = [
  'transport',
  'include',
  'includeTools',
  'excludeTools',
  'options.providerSafe',
  'options.instructions',
  ...approvedPaths,
];

export const properties: INodeProperties[] = [
  transport,
  {
    displayName: 'Tools to Include',
    name: 'include',
    type: 'options',
    typeOptions: {
      loadOptionsMethod: 'getIncludeChoices',
      loadOptionsDependsOn: whatWarningsDependOn,
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
  notice('about', 'getToolsNotice', ['workflowId', ...whatWarningsDependOn], 'the tools'),
  ...toolOptions,
];
