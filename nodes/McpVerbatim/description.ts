import type { INodeProperties } from 'n8n-workflow';
import { transport } from '../connection/parameters.js';
import { sharedOptions } from '../options/description.js';
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

const connection = sharedOptions.filter(({ name }) => name === 'timeout' || name === 'keepAlive');

export const properties: INodeProperties[] = [
  transport,
  resource,
  ...toolProperties,
  ...resourceProperties,
  ...promptProperties,
  options({ resource: ['tool'], operation: ['call'] }, [
    ...sharedOptions,
    {
      displayName: 'Raw Result',
      name: 'raw',
      type: 'boolean',
      default: false,
      description: 'Whether to return the result as the server sent it, instead of parsed JSON and binary data',
    },
  ]),
  options({ resource: ['tool'], operation: ['list'] }, connection),
  options({ resource: ['resource', 'prompt'] }, connection),
];

function options(show: Record<string, string[]>, entries: INodeProperties[]): INodeProperties {
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    displayOptions: { show },
    options: [...entries].sort((a, b) => a.displayName.localeCompare(b.displayName)),
  };
}
