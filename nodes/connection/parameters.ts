import type { INodeProperties } from 'n8n-workflow';

export const httpCredential = 'mcpVerbatimHttpApi';
export const signInCredential = 'mcpVerbatimOAuth2Api';
export const stdioCredential = 'mcpVerbatimStdioApi';

/** Which credential says where the server is. */
export const credentialOf: Readonly<Record<string, string>> = {
  http: httpCredential,
  oAuth2: signInCredential,
  stdio: stdioCredential,
};

/**
 * The one parameter that decides on the credential: n8n's editor shows such a parameter in the dialog of the
 * credential, and a second one nowhere.
 */
export const transport: INodeProperties = {
  displayName: 'Server',
  name: 'transport',
  type: 'options',
  noDataExpression: true,
  options: [
    {
      name: 'At a URL (HTTP)',
      value: 'http',
      description: 'A server that uses a token, headers or no authentication',
    },
    {
      name: 'At a URL, with OAuth2',
      value: 'oAuth2',
      description: 'A server that you sign in to in the browser',
    },
    {
      name: 'Started by a Command (Stdio)',
      value: 'stdio',
      description: 'A program that n8n starts on the machine it runs on',
    },
  ],
  default: 'http',
};
