import type { INodeProperties } from 'n8n-workflow';
import { transport } from '../connection/parameters.js';
import { notice, renewedWithCredential } from '../editor/form-description.js';
import { approvedPaths, onExpressions, toolOptions } from './options.js';

export const includeOptions = [
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
  {
    displayName: 'Tools to Include',
    name: 'include',
    type: 'options',
    options: includeOptions,
    default: 'all',
    description: 'Which tools the agent can use',
  },
  namedTools('Tools', 'includeTools', 'selected'),
  namedTools('Tools to Leave Out', 'excludeTools', 'except'),
  renewedWithCredential(notice('about', 'getToolsNotice', whatTheNoticeDependsOn, 'the tools')),
  ...toolOptions,
];

function namedTools(displayName: string, name: string, include: string): INodeProperties {
  return {
    displayName,
    name,
    type: 'multiOptions',
    typeOptions: { loadOptionsMethod: 'getTools', loadOptionsDependsOn: ['transport'] },
    default: [],
    description: onExpressions,
    displayOptions: { show: { include: [include] } },
  };
}
