import type { INodeProperties } from 'n8n-workflow';
import { server } from '../connection/parameters.js';
import { notice, renewedWithCredential } from '../editor/form-description.js';
import { choiceField } from '../../credentials/fields.js';
import { namedTools, noticedOptions, toolOptions } from '../options/agent.js';

const which =
  'Which tools the agent can use. The tokens are about what their schemas cost in each request to the model.';

/** In the panel, each choice has the number of its tools. */
export const include = {
  ...choiceField('Tools to Include', 'include', 'all', which, [
    ['All', 'all', 'Every tool of the server that can be called'],
    ['Selected', 'selected', 'Only the tools chosen below'],
    ['All Except', 'except', 'Every tool except those chosen below'],
    ['Read-Only', 'readOnly', 'Only tools that the server marks as read-only'],
    ['All Except Read-Only', 'allExceptReadOnly', 'Every tool that is not read-only, for a node behind a human review'],
  ]),
  typeOptions: { loadOptionsMethod: 'getIncludes', loadOptionsDependsOn: ['server', 'tools', 'leaveOut'] },
};

export const selected = namedTools('Tools', 'tools', { include: ['selected'] });
export const leftOut = namedTools('Tools to Leave Out', 'leaveOut', { include: ['except'] });

/** n8n's own tools have the same hint. */
const connectionHint: INodeProperties = {
  displayName: `This node must be connected to an AI agent. <a data-action='openSelectiveNodeCreator' data-action-parameter-creatorview='AI'>Insert one</a>`,
  name: 'notice',
  type: 'notice',
  default: '',
  typeOptions: { containerClass: 'ndv-connection-hint-notice' },
};

export const properties: INodeProperties[] = [
  connectionHint,
  server,
  include,
  selected,
  leftOut,
  renewedWithCredential(
    notice('getToolsNotice', [include.name, selected.name, leftOut.name, ...noticedOptions], 'the tools'),
  ),
  toolOptions,
];
