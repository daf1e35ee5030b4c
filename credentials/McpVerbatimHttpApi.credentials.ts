import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';
import { nameValueRows } from './rows.js';

/** Tested by the nodes, which connect and say what they found. */
export class McpVerbatimHttpApi implements ICredentialType {
  name = 'mcpVerbatimHttpApi';

  displayName = 'MCP Server (URL)';

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-mcp-verbatim#n8n';

  icon: Icon = {
    light: 'file:../nodes/McpVerbatim/mcpVerbatim.svg',
    dark: 'file:../nodes/McpVerbatim/mcpVerbatim.dark.svg',
  };

  properties: INodeProperties[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://example.com/mcp',
      description: 'The URL of the MCP server that the MCP Verbatim nodes connect to',
    },
    {
      displayName: 'Transport',
      name: 'transport',
      type: 'options',
      options: [
        {
          name: 'Streamable HTTP',
          value: 'http',
          description: 'Used by current servers',
        },
        {
          name: 'HTTP + SSE (Deprecated)',
          value: 'sse',
          description: 'For servers of MCP revision 2024-11-05; their URL often ends in /sse',
        },
      ],
      default: 'http',
    },
    {
      displayName: 'Authentication',
      name: 'authentication',
      type: 'options',
      options: [
        { name: 'None', value: 'none' },
        { name: 'Bearer Token', value: 'bearer' },
        { name: 'Headers', value: 'headers' },
      ],
      default: 'none',
    },
    {
      displayName: 'Token',
      name: 'token',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      description: 'Sent as "Authorization: Bearer (token)"',
      displayOptions: { show: { authentication: ['bearer'] } },
    },
    nameValueRows(
      'Header',
      {
        displayName: 'Headers',
        name: 'headers',
        description: 'Sent with every request to the server',
        displayOptions: { show: { authentication: ['headers'] } },
      },
      { example: 'X-API-Key' },
    ),
  ];
}
