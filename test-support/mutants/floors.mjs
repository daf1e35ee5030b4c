const schemaTests = [
  'test/conformance/json-schema.test.ts',
  'test/schema/{cache,dialects,legacy-forms,names,references,undetermined}.test.ts',
  'test/schema/{diagnostics,evaluation,equality,misuse}.test.ts',
  'test/schema/{budgets,compile,contradiction,limits}.test.ts',
  'test/schema/patterns/pattern.test.ts',
];

/**
 * What guards, floor by floor: what is mutated, and the fast tests that have to notice. Not among them are tests over
 * recorded servers, tests of speed, and those that start processes.
 */
export const floors = {
  json: { mutate: ['src/json/**/*.ts'], tests: ['test/json/**/*.test.ts'] },
  secrets: { mutate: ['src/secrets/**/*.ts'], tests: ['test/secrets/{address,mask,names,shown,values}.test.ts'] },
  repair: {
    mutate: ['src/repair/**/*.ts', 'src/schema/evaluate/{coerc*,cheapest,slot,site}.ts'],
    tests: ['test/repair/{choices,describe,json-text,kinds,sites,table}.test.ts'],
  },
  patterns: {
    mutate: ['src/schema/patterns/**/*.ts'],
    tests: ['test/schema/patterns/*.test.ts'],
  },
  compile: { mutate: ['src/schema/compile/**/*.ts'], tests: schemaTests },
  evaluate: {
    mutate: ['src/schema/evaluate/**/*.ts', '!src/schema/evaluate/{coerc*,cheapest,slot,site}.ts'],
    tests: schemaTests,
  },
  stdio: { mutate: ['src/mcp/stdio/*.ts'], tests: ['test/mcp/{output,stdio-transport}.test.ts'] },
  connection: {
    mutate: ['src/mcp/connection/{connection,envelope,message-text,pending-requests,server-requests,waiting}.ts'],
    tests: ['test/mcp/{connection,envelope,listening,waiting}.test.ts'],
  },
  http: {
    mutate: ['src/mcp/http/{streamable-http,event-stream,endpoint,exchange}.ts'],
    tests: ['test/mcp/{endpoint,event-stream,exchange,http-credentials,oauth,streamable-http}.test.ts'],
  },
  network: {
    mutate: ['src/mcp/http/{node-exchange,proxy}.ts'],
    tests: ['test/mcp/{http-answers,http-response,proxy}.test.ts'],
  },
  session: {
    mutate: ['src/mcp/session/{connect,pages}.ts', 'src/mcp/catalogue/set-aside.ts'],
    tests: ['test/mcp/{catalogue,http-session,limits,pages}.test.ts'],
  },
};
