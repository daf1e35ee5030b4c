import type { INodeProperties } from 'n8n-workflow';

export const httpCredential = 'mcpVerbatimHttpApi';
export const signInCredential = 'mcpVerbatimOAuth2Api';
export const stdioCredential = 'mcpVerbatimStdioApi';

/** Where the server is and how it lets one in: both decide which credential is used. */
export const connection: INodeProperties[] = [
  {
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
  },
  {
    displayName: 'Authentication',
    name: 'authentication',
    type: 'options',
    noDataExpression: true,
    options: [
      {
        name: 'None, Token or Headers',
        value: 'headers',
        description: 'The credential holds the URL and, where the server wants them, a token or headers',
      },
      {
        name: 'OAuth2',
        value: 'oAuth2',
        description: 'You sign in to the server in the browser, and n8n keeps the access alive',
      },
    ],
    default: 'headers',
    displayOptions: { show: { transport: ['http'] } },
  },
];

/** What the lists of the editor are asked for anew when it changes. */
export const connectionParameters = connection.map(({ name }) => name);
