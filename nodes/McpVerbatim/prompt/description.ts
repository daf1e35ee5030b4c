import type { INodeProperties } from 'n8n-workflow';
import { notice } from '../../editor/notice.js';

const get = { show: { resource: ['prompt'], operation: ['get'] } };

export const promptProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['prompt'] } },
    options: [
      { name: 'Get', value: 'get', action: 'Get a prompt', description: 'Have the server fill in a prompt' },
      { name: 'List', value: 'list', action: 'List prompts', description: 'List the prompts of the server' },
    ],
    default: 'list',
  },
  {
    displayName: 'Prompt',
    name: 'prompt',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    displayOptions: get,
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: 'searchPrompts', searchable: true, skipCredentialsCheckInRLC: true },
      },
      { displayName: 'Name', name: 'name', type: 'string', placeholder: 'summarize' },
    ],
  },
  notice('aboutPrompt', 'getPromptNotice', ['prompt.value', 'prompt.cachedResultName', 'transport'], 'the prompt', {
    displayOptions: { ...get, hide: { prompt: [''] } },
  }),
  {
    displayName: 'Arguments (JSON)',
    name: 'arguments',
    type: 'json',
    default: '{}',
    displayOptions: get,
    description: "The prompt's arguments as one JSON object; all values are strings",
  },
];
