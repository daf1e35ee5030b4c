// The client that the official conformance suite tests, written as a user would: `client.mjs <server url>`. The suite
// names the scenario and its context in the environment.
import { pathToFileURL } from 'node:url';

const dist = process.env.MCP_VERBATIM_DIST
  ? pathToFileURL(`${process.env.MCP_VERBATIM_DIST}/`)
  : new URL('../../../packages/mcp-verbatim/dist/', import.meta.url);
const { clientCredentials, connect, dpop, enterpriseManaged, jwtBearer } = await import(
  new URL('esm/index.js', dist).href
);

const url = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const latest = (process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? '') >= '2026-07-28';

const session = await connect(
  { url, ...(scenario.startsWith('auth/') && { authProvider: await authorization() }) },
  {
    clientInfo: { name: 'mcp-verbatim', version: '0.0.0' },
    idleTimeoutMs: 20_000,
    // A user who agrees to everything and keeps all defaults.
    elicit: () => ({ action: 'accept' }),
    ...(latest && { revisions: 'stateless-first' }),
  },
);
try {
  const { tools, skipped } = await session.listTools();
  for (const { name, reason } of skipped) console.error(`set aside: ${name}: ${reason.message}`);
  for (const { tool, args } of calls(tools)) {
    const result = await session.callTool(tool, args).catch((error) => console.error(`${tool.name}: ${error.message}`));
    if (result?.isError) console.error(`${tool.name}: ${JSON.stringify(result.content)}`);
  }
} finally {
  await session.close();
}

async function authorization() {
  const credentials = { clientId: context.client_id, secret: context.client_secret };
  if (scenario === 'auth/client-credentials-basic')
    return clientCredentials({ ...credentials, issuer: await issuer() });
  if (scenario === 'auth/client-credentials-jwt') {
    return clientCredentials({
      clientId: context.client_id,
      secret: { privateKey: context.private_key_pem, algorithm: context.signing_algorithm ?? 'ES256' },
      issuer: await issuer(),
    });
  }
  if (scenario === 'auth/wif-jwt-bearer') {
    return jwtBearer({ clientId: context.client_id, issuer: await issuer(), assertion: () => context.valid_jwt });
  }
  // Version 0.1.16 uses an older name.
  if (['auth/enterprise-managed-authorization', 'auth/cross-app-access-complete-flow'].includes(scenario)) {
    return enterpriseManaged({
      ...credentials,
      issuer: await issuer(),
      identityProvider: { tokenEndpoint: context.idp_token_endpoint, clientId: context.idp_client_id },
      idToken: () => context.idp_id_token,
    });
  }
  if (scenario.startsWith('auth/dpop')) return dpop(browserless(context));
  return browserless(context);
}

/** The issuer of the credentials. A user knows it, but the suite does not pass it. */
async function issuer() {
  const { origin, pathname } = new URL(url);
  const response = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  return (await response.json()).authorization_servers[0];
}

/** The calls that the scenario asks for, or else one of every tool. */
function calls(tools) {
  if (Array.isArray(context.toolCalls)) {
    return context.toolCalls
      .map(({ name, arguments: args }) => ({ tool: tools.find((tool) => tool.name === name), args }))
      .filter(({ tool }) => tool);
  }
  return tools.map((tool) => {
    const properties = Object.entries(tool.inputSchema.properties ?? {});
    return {
      tool,
      args: Object.fromEntries(
        properties.map(([name, schema]) => [name, name === 'schema' ? tools[0].inputSchema : example(schema)]),
      ),
    };
  });
}

function example({ type, enum: values, default: preset }) {
  if (preset !== undefined) return preset;
  if (Array.isArray(values)) return values[0];
  return { number: 5, integer: 5, boolean: true, array: [], object: {} }[type] ?? 'example';
}

/** An OAuth provider whose user agrees to everything. It follows the redirect itself instead of opening a browser. */
function browserless({ client_id, client_secret } = {}) {
  const redirectUrl = 'http://localhost:3000/callback';
  let information = client_id && { client_id, client_secret, redirect_uris: [redirectUrl] };
  let tokens;
  let verifier;
  let response;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'mcp-verbatim',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'native',
    },
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    clientInformation: () => information,
    saveClientInformation: (fresh) => (information = fresh),
    tokens: () => tokens,
    saveTokens: (fresh) => (tokens = fresh),
    saveCodeVerifier: (fresh) => (verifier = fresh),
    codeVerifier: () => verifier,
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'client') information = undefined;
      if (scope === 'all' || scope === 'tokens') tokens = undefined;
    },
    async redirectToAuthorization(url) {
      const { headers } = await fetch(url, { redirect: 'manual' });
      response = new URL(headers.get('location')).searchParams;
    },
    authorizationResponse: async () => response,
  };
}
