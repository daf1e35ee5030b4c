// Published servers that need no account to list their tools; published/package.json has them at the versions whose
// answers are recorded in the corpus. Where one wants a key to start, it gets something that looks like one.

export const publishedServers = [
  { name: '@amap/amap-maps-mcp-server', env: { AMAP_MAPS_API_KEY: 'none' } },
  { name: '@antv/mcp-server-chart' },
  { name: '@kazuph/mcp-taskmanager' },
  { name: '@mcp-get-community/server-curl' },
  { name: '@modelcontextprotocol/server-brave-search', env: { BRAVE_API_KEY: 'none' } },
  { name: '@modelcontextprotocol/server-github', env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'none' } },
  { name: '@modelcontextprotocol/server-gitlab', env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'none' } },
  { name: '@modelcontextprotocol/server-google-maps', env: { GOOGLE_MAPS_API_KEY: 'none' } },
  { name: '@modelcontextprotocol/server-slack', env: { SLACK_BOT_TOKEN: 'none', SLACK_TEAM_ID: 'none' } },
  { name: '@tokenizin/mcp-npx-fetch' },
  { name: '@upstash/context7-mcp' },
  { name: 'mcp-sequentialthinking-tools' },
  { name: 'tavily-mcp', env: { TAVILY_API_KEY: 'none' } },
  { name: 'time-mcp' },
];
