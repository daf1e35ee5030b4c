import type { INodeProperties } from 'n8n-workflow';
import { transport } from '../connection/parameters.js';
import { notice } from '../editor/form-description.js';
import { callOptions, checks, connectionOptions, optionCollections } from '../options/description.js';
import { operations, picker } from './choices.js';
import { toolProperties } from './tool/description.js';

const resource: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Prompt', value: 'prompt' },
    { name: 'Resource', value: 'resource' },
    { name: 'Tool', value: 'tool' },
  ],
  default: 'tool',
};

const read = { show: { resource: ['resource'], operation: ['read'] } };
const byUri = { displayName: 'By URI', name: 'uri', placeholder: 'file:///notes/today.md' };

const resourceProperties: INodeProperties[] = [
  operations('resource', [
    { name: 'List', value: 'list', action: 'List resources', description: 'List the resources of the server' },
    {
      name: 'List Templates',
      value: 'listTemplates',
      action: 'List resource templates',
      description: "List the server's URI templates for resources",
    },
    { name: 'Read', value: 'read', action: 'Read a resource', description: 'Read the contents of a resource' },
  ]),
  {
    ...picker('Resource', 'uri', 'searchResources', read, byUri),
    description: 'A resource that the server lists, or a URI built from one of its templates',
  },
];

const get = { show: { resource: ['prompt'], operation: ['get'] } };

const promptProperties: INodeProperties[] = [
  operations('prompt', [
    { name: 'Get', value: 'get', action: 'Get a prompt', description: 'Have the server fill in a prompt' },
    { name: 'List', value: 'list', action: 'List prompts', description: 'List the prompts of the server' },
  ]),
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

const raw: INodeProperties = {
  displayName: 'Raw Result',
  name: 'raw',
  type: 'boolean',
  default: false,
  description: 'Whether to return the result as the server sent it, instead of parsed JSON and binary data',
};

export const properties: INodeProperties[] = [
  transport,
  resource,
  ...toolProperties,
  ...resourceProperties,
  ...promptProperties,
  ...optionCollections([...callOptions, checks(), raw], { resource: ['tool'], operation: ['call'] }),
  ...optionCollections(connectionOptions, { resource: ['tool'], operation: ['list'] }),
  ...optionCollections(connectionOptions, { resource: ['resource', 'prompt'] }),
];
