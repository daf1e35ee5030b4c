import type { INodeProperties } from 'n8n-workflow';
import { transport } from '../connection/parameters.js';
import { notice, renewedWithCredential } from '../editor/form-description.js';
import { type Choice, choiceField } from '../fields.js';
import { approvedPaths, onExpressions, toolOptions } from './options.js';

export const includeOptions: readonly Choice[] = [
  ['All', 'all', 'Every tool of the server that can be called'],
  ['Selected', 'selected', 'Only the tools chosen below'],
  ['All Except', 'except', 'Every tool except those chosen below'],
  ['Read-Only', 'readOnly', 'The tools that, the server says, change nothing'],
  ['All Others', 'others', 'The tools that are not read-only, for a node behind a human review'],
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
  choiceField('Tools to Include', 'include', 'all', includeOptions, 'Which tools the agent can use'),
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
