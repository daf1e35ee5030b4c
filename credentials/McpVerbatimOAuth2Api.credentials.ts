import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { choiceField, icon, textField, toggle, urlField } from './fields.js';

const registration =
  'Whether n8n finds the authorization server and registers there automatically. Turn it off if you were given a client ID.';
const resource =
  'The resource to request access to (RFC 8707), if it is not the one that the server names. Usually left empty.';
// n8n's default lets other nodes send the access token anywhere.
const domains = 'The domains to which HTTP Request and GraphQL nodes may send the access token';
const allowed = "With commas between them; * stands for any subdomain. The default is the server's own.";
const ofServer = String.raw`={{ /^\w+:\/\/(?:[^@\\\/?#]*@)?(\[[^\]]*\]|[^:\\\/?#]+)/.exec($self.serverUrl)?.[1] ?? "" }}`;

export class McpVerbatimOAuth2Api implements ICredentialType {
  name = 'mcpVerbatimOAuth2Api';

  extends = ['oAuth2Api'];

  displayName = 'Model Context Protocol (OAuth2)';

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-mcp-verbatim#n8n';

  icon = icon;

  /** Overrides the properties of oAuth2Api that have the same name. The nodes connect to `serverUrl`, so it always shows. */
  properties: INodeProperties[] = [
    toggle('Use Dynamic Client Registration', 'useDynamicClientRegistration', true, registration),
    urlField('Server URL', 'serverUrl'),
    textField('Resource URL', 'resourceUrl', '', resource),
    choiceField('Allowed HTTP Request Domains', 'allowedHttpRequestDomains', 'domains', domains, [
      ['All', 'all', 'HTTP Request and GraphQL nodes may send it anywhere'],
      ['None', 'none', 'HTTP Request and GraphQL nodes may not use it'],
      ['Specific Domains', 'domains', "Such as the server's own"],
    ]),
    {
      ...textField('Allowed Domains', 'allowedDomains', 'example.com, *.subdomain.com', allowed),
      default: ofServer,
      displayOptions: { show: { allowedHttpRequestDomains: ['domains'] } },
    },
  ];
}
