/**
 * What guards, floor by floor: what is mutated, and the fast tests that have to notice. Not among them are tests over
 * recorded servers, tests of speed, and those that start processes.
 */
export const floors = {
  json: { mutate: ['src/json/**/*.ts'], tests: ['test/json/**/*.test.ts'] },
  secrets: { mutate: ['src/secrets/**/*.ts'], tests: ['test/secrets/{address,mask,names,shown,values}.test.ts'] },
  repair: {
    mutate: ['src/repair/**/*.ts', 'src/schema/evaluate/coerc*.ts'],
    tests: ['test/repair/{choices,describe,json-text,kinds,sites,table}.test.ts'],
  },
  evaluation: {
    mutate: ['src/schema/{compile,evaluate,patterns}/**/*.ts', '!src/schema/evaluate/coerc*.ts'],
    tests: [
      'test/schema/{budgets,cache,contradiction,diagnostics,dialects,equality,legacy-forms,misuse,names,references,undetermined}.test.ts',
      'test/schema/{unions,limits}.test.ts',
      'test/schema/patterns/*.test.ts',
      'test/conformance/json-schema.test.ts',
    ],
  },
  client: {
    mutate: [
      'src/mcp/connection/{envelope,waiting}.ts',
      'src/mcp/session/pages.ts',
      'src/mcp/http/{event-stream,exchange,endpoint,proxy}.ts',
      'src/mcp/stdio/{output,environment}.ts',
      'src/mcp/catalogue/set-aside.ts',
    ],
    tests: [
      'test/mcp/{catalogue,envelope,event-stream,http-answers,http-response,http-session,http-strangers}.test.ts',
      'test/mcp/{attack,limits,pages,proxy,unanswered,waiting}.test.ts',
    ],
  },
};
