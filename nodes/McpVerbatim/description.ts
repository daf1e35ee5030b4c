import type { INodeProperties } from 'n8n-workflow';
import { transport } from '../connection/parameters.js';
import { callOptions, checks, connectionOptions, optionCollections } from '../options/description.js';
import { promptProperties } from './prompt/description.js';
import { resourceProperties } from './resource/description.js';
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
