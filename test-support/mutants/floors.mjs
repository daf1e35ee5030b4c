/** The files that compile a schema, and those that bound the cost of evaluating it. */
const compileTests = [
  'test/conformance/json-schema.test.ts',
  'test/schema/{dialects,keywords,legacy-forms,names,references}.test.ts',
  'test/schema/{diagnostics,misuse}.test.ts',
  'test/schema/compile.test.ts',
];
const evaluateTests = [
  'test/conformance/json-schema.test.ts',
  'test/schema/{dialects,keywords,legacy-forms,references,evaluation,equality,misuse}.test.ts',
  'test/schema/{budgets,compile,limits}.test.ts',
  'test/repair/table.test.ts',
  'test/schema/patterns/pattern.test.ts',
];

/**
 * The guarding code, layer by layer: the files to mutate, and the fast tests that have to notice, most effective first.
 * Some tests wait for processes and sockets. From a large layer a sample is drawn by a hash of each mutant. Tests over
 * recorded servers and tests of speed are left out. `builds`: the tests load built code, which is built with the
 * mutants in it; a process of its own has none. `least`: the percentage that has to be noticed, 85 by default.
 */
export const floors = {
  json: { mutate: ['src/json/**/*.ts'], tests: ['test/json/**/*.test.ts'] },
  secrets: {
    mutate: ['src/secrets/**/*.ts'],
    tests: ['test/secrets/{in-address,in-text,in-values,mask,names}.test.ts'],
  },
  repair: {
    mutate: ['src/repair/**/*.ts', 'src/schema/evaluate/refusals.ts'],
    tests: ['test/repair/{table,kinds,describe,sites}.test.ts', 'test/repair/{choices,meaning,bounds,laws}.test.ts'],
    sample: 0.12,
  },
  patterns: {
    mutate: ['src/schema/patterns/**/*.ts'],
    tests: ['test/schema/patterns/*.test.ts'],
  },
  compile: { mutate: ['src/schema/compile/**/*.ts'], tests: compileTests, sample: 0.3 },
  evaluate: {
    mutate: ['src/schema/evaluate/**/*.ts'],
    tests: evaluateTests,
    sample: 0.5,
  },
  keywords: {
    mutate: ['src/schema/keywords/**/*.ts', 'src/schema/dialects/*.ts'],
    tests: [
      'test/conformance/json-schema.test.ts',
      'test/schema/{keywords,dialects,legacy-forms,references,evaluation,equality,compile}.test.ts',
      'test/schema/{formats,diagnostics}.test.ts',
      'test/schema/violations/violation.test.ts',
      'test/repair/{table,kinds,sites,choices,meaning}.test.ts',
      'test/schema/unions.test.ts',
    ],
    sample: 0.3,
  },
  violations: { mutate: ['src/schema/violations/*.ts'], tests: ['test/schema/violations/*.test.ts'], sample: 0.4 },
  stdio: { mutate: ['src/mcp/stdio/*.ts'], tests: ['test/mcp/stdio/{output,stdio,session}.test.ts'], waits: true },
  connection: {
    mutate: [
      'src/mcp/connection/{connection,listen-requests,pending-requests,server-requests}.ts',
      'src/mcp/wire/envelope.ts',
      'src/mcp/runtime/timers.ts',
    ],
    tests: [
      'test/mcp/connection/{connection,listen-requests}.test.ts',
      'test/mcp/{wire/envelope,runtime/deadline}.test.ts',
    ],
    waits: true,
  },
  http: {
    mutate: ['src/mcp/http/{streamable-http,event-stream,endpoint}.ts'],
    tests: [
      'test/mcp/http/{endpoint,event-stream,streamable-http,credentials}.test.ts',
      'test/mcp/authorization/authorization.test.ts',
    ],
    waits: true,
  },
  network: {
    mutate: ['src/mcp/http-client/{node-http-client,proxy}.ts'],
    tests: ['test/mcp/http-client/{node-http-client,proxy}.test.ts', 'test/mcp/http/answers.test.ts'],
    waits: true,
  },
  session: {
    mutate: ['src/mcp/session/{connect,live-connection,pages}.ts', 'src/mcp/catalogue/notes.ts'],
    tests: ['test/mcp/{catalogue/skipped,session/pages,session}.test.ts', 'test/mcp/http/session.test.ts'],
    waits: true,
  },
  handshake: {
    mutate: ['src/mcp/connection/{negotiate,open-connection}.ts', 'src/mcp/http/sse.ts'],
    tests: ['test/mcp/{connection/negotiate,http/sse,revisions}.test.ts'],
    waits: true,
  },
  requests: {
    mutate: ['src/mcp/session/requests.ts'],
    tests: ['test/mcp/session/requests.test.ts', 'test/mcp/{session,http/session}.test.ts'],
    waits: true,
  },
  authorization: {
    mutate: ['src/mcp/authorization/*.ts'],
    tests: ['test/mcp/authorization/{authorization,oauth}.test.ts'],
    waits: true,
  },
  serve: {
    mutate: ['src/serve/**/*.ts'],
    tests: [
      'test/serve/{client,group,allow-list,outbox,open-sessions,suspendable,tasks}.test.ts',
      'test/serve/{calls-under-way,late,isolation,sizes,http,tools,untouched,lost-session,hostile}.test.ts',
    ],
    waits: true,
    builds: true,
    sample: 0.02,
    least: 75,
  },
  programs: {
    mutate: ['src/programs/**/*.ts'],
    tests: [
      'test/programs/{options,agent-tools}.test.ts',
      'test/langchain/{servers,sources,approved,fixed,options}.test.ts',
    ],
    waits: true,
    builds: true,
    sample: 0.025,
    least: 80,
  },
  langchain: {
    mutate: ['src/langchain/**/*.ts'],
    tests: [
      'test/langchain/{options,calls-along,call,servers,fixed,sources,outcome,by-interrupt}.test.ts',
      'test/langchain/{repair-tool-calls,tool-search,mcp-adapters}.test.ts',
    ],
    waits: true,
    builds: true,
    sample: 0.03,
    least: 80,
  },
  cli: {
    mutate: [
      'src/cli/**/*.ts',
      '!src/cli/commands/{serve,observe}.ts',
      '!src/cli/main.ts',
      '!src/cli/terminal/person.ts',
    ],
    tests: [
      'test/cli/terminal/text.test.ts',
      'test/cli/{pairs,trust,exact,commands,printed,config,elicitation,hostile,types,login,watch}.test.ts',
    ],
    waits: true,
    builds: true,
    sample: 0.02,
    least: 75,
  },
  nodes: {
    mutate: ['nodes/**/*.ts'],
    tests: [
      'test/nodes/{parameters,options,errors,execution,agent-item,host-modules,permission}.test.ts',
      'test/nodes/{stored-values,calls,every-operation,wired-options,offer,agent,panels,nodes}.test.ts',
      'test/nodes/{message-node,outside-executions,oauth2,strangers,schema-facade,host-packages}.test.ts',
      'test/nodes/editor/gate.test.ts',
    ],
    waits: true,
    builds: true,
    sample: 0.02,
    least: 80,
  },
};
