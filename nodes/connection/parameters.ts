import type { INodeProperties } from 'n8n-workflow';
import { choiceField } from '../fields.js';

export const httpCredential = 'mcpVerbatimHttpApi';
export const signInCredential = 'mcpVerbatimOAuth2Api';
export const stdioCredential = 'mcpVerbatimStdioApi';

export const credentialOf: Readonly<Record<string, string>> = {
  http: httpCredential,
  oAuth2: signInCredential,
  stdio: stdioCredential,
};

/** n8n's editor shows one parameter that decides on the credential, in that one's dialog, and a second one nowhere. */
export const transport: INodeProperties = {
  ...choiceField('Server', 'transport', 'http', [
    ['At a URL (HTTP)', 'http', 'A server that uses a token, headers or no authentication'],
    ['At a URL, with OAuth2', 'oAuth2', 'A server that you sign in to in the browser'],
    ['Started by a Command (Stdio)', 'stdio', 'A program that n8n starts on the machine it runs on'],
  ]),
  noDataExpression: true,
};
