import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { isAtLeast } from '../../../test-support/n8n/install.js';
import type { WorkflowNode } from '../../../test-support/n8n/api.js';
import { call, say, steps, type Script } from '../../../test-support/model/script.js';
import { startHttpServer } from '../../../test-support/servers/http.js';
import { startOAuthServer } from '../../../test-support/servers/oauth.js';
import { connectAccount, createAccount } from './account.js';
import { lacks, useBench, usedEach, type CredentialReference } from './harness.js';
import { agentWorkflow, singleNodeWorkflow, verbatim, verbatimTool } from '../../../test-support/n8n/workflows.js';

describe('a server that wants OAuth2', () => {
  const bench = useBench();
  /** The token endpoint rejects each renewal, and repeats the token of the request. */
  let repeatsTokens = false;
  const server = usedEach(() =>
    startOAuthServer({
      refreshTokens: true,
      refusal: ({ refresh_token: sent }) =>
        repeatsTokens && sent !== undefined ? { error: 'invalid_grant', error_description: sent } : undefined,
    }),
  );
  let credential: CredentialReference;

  beforeEach(async () => {
    credential = await createAccount(bench.api, server.url);
  });

  const listTools = () => verbatim(credential, { operation: 'list' });
  const run = (node: WorkflowNode) => bench.run(singleNodeWorkflow(node));
  const renewals = () => server.tokenRequests.filter(({ form }) => form['grant_type'] === 'refresh_token');
  const answeredCalls = () => {
    const calls = server.seen.filter(
      ({ message, response }) => message.method === 'tools/call' && response.statusCode === 200,
    );
    return calls.map(({ message }) => message.params?.['arguments']);
  };
  const registrations = () => server.seen.filter(({ path }) => path === '/register');

  test('n8n registers by itself, and the nodes connect', async () => {
    await connectAccount(bench.api, credential);
    const execution = await run(listTools());
    expect(execution.output('MCP Verbatim').map(({ json }) => json['name'])).toEqual(['echo']);
    expect(registrations()).toHaveLength(1);
    const [exchange] = server.tokenRequests;
    // Older versions of n8n do not say which server the token is for.
    const resource = isAtLeast(2, 41) ? { resource: server.url } : {};
    expect(exchange?.form).toMatchObject({ grant_type: 'authorization_code', code: 'agreed', ...resource });
    expect(renewals()).toEqual([]);
  });

  test('An expired token is renewed once, and the new one is kept for the next execution', async () => {
    await connectAccount(bench.api, credential);
    server.revoke();
    for (const attempt of ['renewed', 'kept']) {
      const execution = await run(listTools());
      expect(execution.output('MCP Verbatim'), attempt).toHaveLength(1);
      expect(renewals(), attempt).toHaveLength(1);
    }
  });

  test('A token that expires while an agent works is renewed in the same session', async () => {
    await connectAccount(bench.api, credential);
    const afterExpiry: Script = (request) => {
      server.revoke();
      return call('echo', { second: true })(request);
    };
    bench.model.play(steps(call('echo', { first: true }), afterExpiry, say('Done.')));
    const execution = await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential)]));
    expect(execution.output('AI Agent')).toMatchObject([{ json: { output: 'Done.' } }]);
    expect(server.methods().filter((method) => method === 'initialize')).toHaveLength(1);
    expect(answeredCalls()).toEqual([{ first: true }, { second: true }]);
    expect(renewals()).toHaveLength(1);
  });

  test('A program signs in by itself with client credentials', async () => {
    const { origin, url } = server;
    const data = {
      useDynamicClientRegistration: false,
      grantType: 'clientCredentials',
      serverUrl: url,
      accessTokenUrl: `${origin}/token`,
      clientId: 'robot',
      clientSecret: 'robot-secret',
    };
    credential = { mcpVerbatimOAuth2Api: await bench.api.createCredential('Robot', 'mcpVerbatimOAuth2Api', data) };
    for (const attempt of ['first', 'expired']) {
      const execution = await run(listTools());
      expect(execution.output('MCP Verbatim'), attempt).toHaveLength(1);
      server.revoke();
    }
    expect(server.tokenRequests.map(({ form }) => form['grant_type'])).toEqual([
      'client_credentials',
      'client_credentials',
    ]);
  });

  test('A refresh token that the authorization server repeats is in neither an error nor the log', async () => {
    await connectAccount(bench.api, credential);
    await run(listTools());
    server.revoke();
    repeatsTokens = true;
    const { error, runs } = await run(listTools());
    repeatsTokens = false;
    expect(error?.message).toBe('The credential "Account" has to be connected again');
    const shown = JSON.stringify([error, runs]) + readFileSync(inject('n8nLog'), 'utf8');
    expect(server.given.length).toBeGreaterThan(1);
    expect(server.given.filter((token) => shown.includes(token))).toEqual([]);
  });

  test('Another node can send the access token only to the server of the credential', async () => {
    // 1.123 also ignores a list of domains that a person has set.
    if (!isAtLeast(2, 41)) lacks('restriction of OAuth2 tokens to domains');
    await connectAccount(bench.api, credential);
    await using elsewhere = await startHttpServer(({ json }) => json({}));
    const request = (url: string) =>
      run({
        name: 'HTTP Request',
        type: 'n8n-nodes-base.httpRequest',
        typeVersion: 4.2,
        position: [200, 0],
        parameters: { url, authentication: 'predefinedCredentialType', nodeCredentialType: 'mcpVerbatimOAuth2Api' },
        credentials: credential,
      });
    const refused = await request(elsewhere.url.replace('127.0.0.1', 'localhost'));
    expect(refused.error?.message).toMatch(
      /^Domain not allowed: .* Only the following domains are allowed: 127\.0\.0\.1$/,
    );
    expect(elsewhere.seen).toEqual([]);
    await request(server.url);
    expect(server.seen.at(-1)).toMatchObject({ verb: 'GET', path: '/mcp' });
  });
});
