// Published servers that list their tools without an account. `published/` pins their versions and dependencies. A
// server that needs a key to start gets a made-up one.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installLocked } from './install.mjs';

const servers = [
  { name: '@amap/amap-maps-mcp-server', env: { AMAP_MAPS_API_KEY: 'none' } },
  { name: '@antv/mcp-server-chart' },
  { name: '@k-jarzyna/mcp-miro', env: { MIRO_ACCESS_TOKEN: 'none' } },
  { name: '@kazuph/mcp-taskmanager' },
  { name: '@mcp-get-community/server-curl' },
  { name: '@modelcontextprotocol/server-brave-search', env: { BRAVE_API_KEY: 'none' } },
  { name: '@modelcontextprotocol/server-everything' },
  { name: '@modelcontextprotocol/server-filesystem', args: [tmpdir()] },
  { name: '@modelcontextprotocol/server-github', env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'none' } },
  { name: '@modelcontextprotocol/server-gitlab', env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'none' } },
  { name: '@modelcontextprotocol/server-google-maps', env: { GOOGLE_MAPS_API_KEY: 'none' } },
  { name: '@modelcontextprotocol/server-memory' },
  { name: '@modelcontextprotocol/server-slack', env: { SLACK_BOT_TOKEN: 'none', SLACK_TEAM_ID: 'none' } },
  { name: '@notionhq/notion-mcp-server', env: { NOTION_TOKEN: 'none' } },
  { name: '@roychri/mcp-server-asana', env: { ASANA_ACCESS_TOKEN: 'none' } },
  { name: '@softeria/ms-365-mcp-server' },
  { name: '@tokenizin/mcp-npx-fetch' },
  { name: '@upstash/context7-mcp' },
  { name: '@zereight/mcp-gitlab', env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'none' } },
  { name: 'keycloak-mcp-server' },
  { name: 'mcp-mailtrap', env: { MAILTRAP_API_TOKEN: 'none', DEFAULT_FROM_EMAIL: 'none@example.com' } },
  { name: 'mcp-sequentialthinking-tools' },
  { name: 'tavily-mcp', env: { TAVILY_API_KEY: 'none' } },
  { name: 'time-mcp' },
];

/** The packages that `npm run record` records. */
export const publishedNames = servers.map(({ name }) => name);

/**
 * @param {readonly string[]} wanted names; none means all
 * @returns each server, installed, with its version and the command that starts it
 */
export function publishedServers(wanted) {
  const packages = installLocked('published');
  return servers
    .filter(({ name }) => wanted.length === 0 || wanted.includes(name))
    .map(({ name, env = {}, args = [] }) => {
      const folder = join(packages, name);
      const { version, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const program = join(folder, typeof bin === 'string' ? bin : Object.values(bin)[0]);
      return { name, version, command: process.execPath, args: [program, ...args], env };
    });
}
