import type { INodeProperties } from 'n8n-workflow';

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
        description: 'List the patterns of resource addresses that the server knows',
      },
      { name: 'Read', value: 'read', action: 'Read a resource', description: 'Read the contents of a resource' },
    ],
    default: 'list',
  },
  {
    displayName: 'URI',
    name: 'uri',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'file:///notes/today.md',
    displayOptions: { show: { resource: ['resource'], operation: ['read'] } },
    description: 'Address of the resource, as the server lists it or built from one of its templates',
  },
];
