import { type ChoiceField, choiceField } from '../../credentials/fields.js';

export const httpCredential = 'mcpVerbatimHttpApi';
export const signInCredential = 'mcpVerbatimOAuth2Api';
export const stdioCredential = 'mcpVerbatimStdioApi';

export const credentialOf = {
  http: httpCredential,
  oAuth2: signInCredential,
  stdio: stdioCredential,
} as const;

/** The one parameter that decides on the credential: n8n's editor shows it in the credential's dialog, too. */
export const server: ChoiceField<keyof typeof credentialOf> = {
  ...choiceField('Server', 'server', 'http', '', [
    ['At a URL (HTTP)', 'http', 'A server that uses a token, headers or no authentication'],
    ['At a URL, with OAuth2', 'oAuth2', 'A server that you sign in to in the browser'],
    ['Started by a Command (Stdio)', 'stdio', 'A program that n8n starts on the machine it runs on'],
  ]),
  noDataExpression: true,
};
