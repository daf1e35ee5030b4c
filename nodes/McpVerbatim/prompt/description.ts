import type { INodeProperties } from 'n8n-workflow';
import { notice } from '../../editor/form-description.js';
import { picker } from '../picker.js';

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
  picker('Prompt', 'prompt', 'searchPrompts', get, { displayName: 'Name', name: 'name', placeholder: 'summarize' }),
  notice('aboutPrompt', 'getPromptNotice', ['prompt.value', 'prompt.cachedResultName', 'transport'], 'the prompt', {
    ...get,
    hide: { prompt: [''] },
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
