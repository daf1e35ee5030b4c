// Published servers that need no account to list their tools, at the versions whose answers are recorded in the corpus.
// Where one wants a key to start, it gets something that looks like one.

export const publishedServers = [
  { name: '@amap/amap-maps-mcp-server', version: '0.0.8', env: { AMAP_MAPS_API_KEY: 'none' } },
  { name: '@antv/mcp-server-chart', version: '0.9.10' },
  { name: '@kazuph/mcp-taskmanager', version: '1.1.1' },
  { name: '@mcp-get-community/server-curl', version: '0.1.0' },
  { name: '@modelcontextprotocol/server-brave-search', version: '0.6.2', env: { BRAVE_API_KEY: 'none' } },
  { name: '@modelcontextprotocol/server-github', version: '2025.4.8', env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'none' } },
  { name: '@modelcontextprotocol/server-gitlab', version: '2025.4.25', env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'none' } },
  { name: '@modelcontextprotocol/server-google-maps', version: '0.6.2', env: { GOOGLE_MAPS_API_KEY: 'none' } },
  { name: '@modelcontextprotocol/server-slack', version: '2025.4.25', env: { SLACK_BOT_TOKEN: 'none', SLACK_TEAM_ID: 'none' } },
  { name: '@tokenizin/mcp-npx-fetch', version: '1.0.0' },
  { name: '@upstash/context7-mcp', version: '4.1.1' },
  { name: 'mcp-sequentialthinking-tools', version: '0.0.3' },
  { name: 'tavily-mcp', version: '0.2.22', env: { TAVILY_API_KEY: 'none' } },
  { name: 'time-mcp', version: '1.0.6' },
];
