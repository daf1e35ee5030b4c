import { join } from 'node:path';
import { cacheFolder } from '../cached.js';
import { isAtLeast } from './install.js';

/**
 * The environment of an n8n that keeps to itself: it listens on loopback only, and contacts nobody. It inherits only
 * the variables that a program needs to run.
 */
export function quietEnvironment(userFolder: string, port: number, brokerPort: number): Record<string, string> {
  return {
    ...inherited(['PATH', 'HOME', 'LANG', 'TMPDIR']),
    N8N_USER_FOLDER: userFolder,
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_HOST: 'localhost',
    N8N_PORT: String(port),
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    N8N_SECURE_COOKIE: 'false',

    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
    N8N_DYNAMIC_BANNERS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',

    // n8n is started a dozen times, so its compiled code is cached.
    NODE_COMPILE_CACHE: join(cacheFolder, 'compiled'),
    // On a loaded machine SQLite takes longer than the five seconds after which n8n rejects every request.
    DB_PING_INTERVAL_SECONDS: '3600',
    // n8n 2's default: without a pool, reading locks out writing.
    DB_SQLITE_POOL_SIZE: '3',

    N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
    N8N_PYTHON_ENABLED: 'false',
    // Modules with a service behind them (a catalogue of servers, assistants, insights, enterprise sign-on). No test uses
    // them, and each costs start-up time or network access. Other versions refuse to start with an unknown name.
    N8N_DISABLED_MODULES: isAtLeast(2, 41) ? disabledModules.join(',') : '',
    // isolated-vm has no build for Node 20, and only SQLite is compiled here.
    ...(process.env['MCP_VERBATIM_NODE'] === '20' ? { N8N_EXPRESSION_ENGINE: 'legacy' } : {}),
  };
}

/** For workflows without Code nodes: n8n expects a task runner elsewhere, and there is none. */
export const noTaskRunner = { N8N_RUNNERS_MODE: 'external', N8N_RUNNERS_AUTH_TOKEN: 'none' };

const disabledModules = [
  'agents',
  'breaking-changes',
  'chat-hub',
  'dynamic-credentials',
  'external-secrets',
  'insights',
  'instance-ai',
  'ldap',
  'log-streaming',
  'mcp',
  'mcp-registry',
  'n8n-packages',
  'oauth-server',
  'otel',
  'provisioning',
  'quick-connect',
  'source-control',
  'sso-oidc',
  'sso-saml',
  'token-exchange',
  'workflow-builder',
  'workflow-reviews',
];

function inherited(names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
