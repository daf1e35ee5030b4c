import type { INodeProperties } from 'n8n-workflow';

export const httpCredential = 'mcpVerbatimHttpApi';
export const stdioCredential = 'mcpVerbatimStdioApi';

export const transport: INodeProperties = {
  displayName: 'Server',
  name: 'transport',
  type: 'options',
  noDataExpression: true,
  options: [
    {
      name: 'At a URL (HTTP)',
      value: 'http',
      description: 'A server that runs elsewhere and is reached over HTTP',
    },
    {
      name: 'Started by a Command (Stdio)',
      value: 'stdio',
      description: 'A program that n8n starts on its own machine',
    },
  ],
  default: 'http',
};
