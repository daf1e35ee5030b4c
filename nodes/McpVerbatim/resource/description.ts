import type { INodeProperties } from 'n8n-workflow';
import { picker } from '../picker.js';

export const resourceProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['resource'] } },
    options: [
      { name: 'List', value: 'list', action: 'List resources', description: 'List the resources of the server' },
      {
        name: 'List Templates',
        value: 'listTemplates',
        action: 'List resource templates',
        description: "List the server's URI templates for resources",
      },
      { name: 'Read', value: 'read', action: 'Read a resource', description: 'Read the contents of a resource' },
    ],
    default: 'list',
  },
  {
    ...picker(
      'Resource',
      'uri',
      'searchResources',
      { show: { resource: ['resource'], operation: ['read'] } },
      { displayName: 'By URI', name: 'uri', placeholder: 'file:///notes/today.md' },
    ),
    description: 'A resource that the server lists, or a URI built from one of its templates',
  },
];
