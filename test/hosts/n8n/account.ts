import { expect } from 'vitest';
import type { N8nApi } from '../../../test-support/n8n/api.js';
import type { CredentialReference } from './harness.js';

export async function createAccount(api: N8nApi, serverUrl: string): Promise<CredentialReference> {
  // The request as the editor saves it: without unchanged values.
  return { mcpVerbatimOAuth2Api: await api.createCredential('Account', 'mcpVerbatimOAuth2Api', { serverUrl }) };
}

/** Does what the button "Connect" does: n8n registers, the person agrees, n8n gets the tokens. */
export async function connectAccount(
  api: N8nApi,
  { mcpVerbatimOAuth2Api: account }: CredentialReference,
): Promise<void> {
  const authorization = await api.request<string>('GET', `/rest/oauth2-credential/auth?id=${account!.id}`);
  const agreed = await fetch(authorization, { redirect: 'manual' });
  const callback = await fetch(agreed.headers.get('location')!, { headers: api.headers });
  expect(callback.status).toBe(200);
}
