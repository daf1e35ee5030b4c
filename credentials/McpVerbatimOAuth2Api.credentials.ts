import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { choiceField, icon, toggle } from './fields.js';

const registration =
  'Whether n8n finds the authorization server and registers there automatically. Turn it off if you were given a client ID.';

export class McpVerbatimOAuth2Api implements ICredentialType {
  name = 'mcpVerbatimOAuth2Api';

  extends = ['oAuth2Api'];

  displayName = 'Model Context Protocol (OAuth2)';

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-mcp-verbatim#n8n';

  icon = icon;

  /** Overrides the properties of oAuth2Api that have the same name. */
  properties: INodeProperties[] = [
    toggle('Use Dynamic Client Registration', 'useDynamicClientRegistration', true, registration),
    {
      // Shown without dynamic registration as well, because the nodes connect to it.
      displayName: 'Server URL',
      name: 'serverUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://example.com/mcp',
      description: 'The URL of the MCP server that the MCP Verbatim nodes connect to',
    },
    {
      displayName: 'Resource URL',
      name: 'resourceUrl',
      type: 'string',
      default: '',
      description:
        'The resource to request access to (RFC 8707), if it is not the one that the server names. Usually left empty.',
    },
    // n8n's default lets other nodes send the access token anywhere.
    choiceField(
      'Allowed HTTP Request Domains',
      'allowedHttpRequestDomains',
      'domains',
      [
        ['All', 'all', 'HTTP Request and GraphQL nodes may send it anywhere'],
        ['None', 'none', 'HTTP Request and GraphQL nodes may not use it'],
        ['Specific Domains', 'domains', "Such as the server's own"],
      ],
      'The domains to which HTTP Request and GraphQL nodes may send the access token',
    ),
    {
      displayName: 'Allowed Domains',
      name: 'allowedDomains',
      type: 'string',
      default: String.raw`={{ /^\w+:\/\/(?:[^@\\\/?#]*@)?(\[[^\]]*\]|[^:\\\/?#]+)/.exec($self.serverUrl)?.[1] ?? "" }}`,
      placeholder: 'example.com, *.subdomain.com',
      description: "With commas between them; * stands for any subdomain. The default is the server's own.",
      displayOptions: { show: { allowedHttpRequestDomains: ['domains'] } },
    },
  ];
}
