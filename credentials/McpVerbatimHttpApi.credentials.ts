import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { authentication, icon, nameValueRows, transport, urlField } from './fields.js';

/** The nodes test it by connecting. */
export class McpVerbatimHttpApi implements ICredentialType {
  name = 'mcpVerbatimHttpApi';

  displayName = 'Model Context Protocol (URL)';

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-mcp-verbatim#n8n';

  icon = icon;

  properties: INodeProperties[] = [
    urlField('URL', 'url'),
    transport,
    authentication,
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
