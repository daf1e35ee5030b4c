import { expect, test } from 'vitest';
import { checkArguments, connect, repairArguments, compileSchema } from '../../src/internal.js';
import type { ServerAddress } from '../../src/internal.js';
import { toolSearch, interruptOn, mcpTools, repairToolCalls, verbatimTools } from '../../src/langchain/index.js';
import type { ApprovalRule, McpToolsOptions } from '../../src/langchain/index.js';

// Nothing listens at this address: an error about the connection means that the options were not checked.
const url = 'http://127.0.0.1:1/mcp';
const named = { name: 'search', inputSchema: {} };
const ask = () => true;

test.each<[unknown, ...string[]]>([
  [{ approval: { ask } }, 'mcpTools has no option "approval"'],
  [{ model: 42 }, '"model" has to be a chat model, or a name such as \'openai:gpt-5\'; received 42'],
  [{ outputHandling: 'artefact' }, '"outputHandling" has to be "content", "artifact", or one of these for "text"'],
  [{ include: 'list,t' }, '"include" has to be a list of texts or a function; received "list,t"'],
  [{ toolSearch: 'never' }, '"toolSearch" has to be "off", "on" or "auto"; received "never"'],
  [{ onInvalidArguments: 'thorw' }, 'mean "throw"?'],
  [{ onServerError: 'ignore' }, '"onServerError" has to be "report" or "throw" or a function'],
  [{ whenUndetermined: 'yes' }, '"whenUndetermined" has to be "refuse" or "allow"'],
  [{ whenChanged: 'warm', approved: { tools: {} } }, '"whenChanged"', 'mean "warn"?'],
  [{ whenChanged: 'fail' }, '"whenChanged" needs "approved"'],
  [{ beforeToolCall: ask }, 'mcpTools has no option "beforeToolCall": here it is "before"'],
  [{ elicit: { interupt: ask, task: ask } }, '"elicit" has to be a function, or { interrupt, task }'],
  [{ idleTimeoutMs: '10' }, '"idleTimeoutMs" has to be a number of milliseconds above 0; received "10"'],
  [{ maxDurationMs: NaN }, '"maxDurationMs"', 'received NaN'],
  [{ provider: 'opnai' }, '"provider" has to be "openai",', 'mean "openai"?'],
  [{ signal: new AbortController() }, '"signal" has to be an AbortSignal; received an object (AbortController)'],
  [{ fixed: { search: 7 } }, '"fixed" has to be the arguments of tools, by their names; received an object'],
  [{ before: {} }, '"before" has to be a function; received an object'],
  [{ timeout: 10 }, 'Did you mean "idleTimeoutMs"?'],
  [{ repair: 'safe' }, 'mcpTools has no option "repair"', 'mean "repairs"?'],
  [null, 'The options of mcpTools are an object; received null'],
  [{ repairs: true }, 'is no choice of repairs'],
  [{ repairs: ['safe', '-boolean'] }, '"-boolean" is no choice of repairs', 'mean "booleans"?'],
  [{ repairs: 'saef' }, '"saef" is no choice of repairs', 'mean "safe"?'],
])('mcpTools says at once what is wrong with the options %j', async (options, ...told) => {
  const made = mcpTools({ url }, options as McpToolsOptions);
  await expect(made).rejects.toBeInstanceOf(TypeError);
  for (const words of told) await expect(made).rejects.toThrow(words);
});

const of = (entry: object) => ({ mcpServers: { a: { url, ...entry } } });

test.each<[source: unknown, told: string | RegExp]>([
  [of({ idleTimeout: 5 }), 'The server "a" has no option "idleTimeout". Did you mean "idleTimeoutMs"?'],
  [of({ excludes: ['delete'] }), 'The server "a" has no option "excludes". Did you mean "exclude"?'],
  [of({ before: ask }), 'has no option "before": it holds for all servers'],
  [of({ outputHandling: { resource: 'none' } }), 'The server "a": "outputHandling" has to be'],
  [of({ timeout: 30 }), 'The server "a": "timeout" has to be a number of milliseconds, 1000 or more; received 30.'],
  [of({ disabled: true }), '"mcpServers" holds no server, or none that is enabled.'],
  [of({ exclude: 'delete' }), 'The server "a": "exclude" has to be a list of texts or a function'],
  [of({ fixed: { search: ['tenant'] } }), '"fixed" has to be the arguments of tools'],
  ['https://example.com/mcp', /is a string\. mcpTools takes \{ url \}/],
  [{ mcpServers: {} }, /"mcpServers" holds no server/],
  [{ mcpServers: [{ url }] }, /"mcpServers" .*received an array/],
  [{ mcpServers: { a: 'npx' } }, /"a": .*received a string/],
  [{ mcpServers: { a: null } }, /"a": .*received null/],
  [{ mcpServers: { a: { headers: {} } } }, /"a": .*"url" or "command"/],
  [{ mcpServers: { a: { transport: 'no', url } } }, /"a": .*"http", "sse".*"no"/],
  [{ transport: 'http', command: 'node' }, /"http" needs "url", but found "command"/],
  [{ mcpServers: { a: { type: 'stdio', url } } }, /"stdio" needs "command", but found "url"/],
  [{ url, command: 'node' }, /"url" or "command", but found both/],
  [{ ...of({}), defaultToolTimout: 300 }, /has no option "defaultToolTimout".*Did you mean "defaultToolTimeout"\?/],
  [{ ...of({}), before: () => undefined }, /has no option "before": it holds for all servers, in the options/],
  [{ ...of({}), onConnectionError: 'ignore' }, /"onConnectionError": here it is "onServerError", in the options/],
  [{ ...of({}), prefixToolNameWithServerName: true }, /here it is "prefix", in the options of mcpTools/],
  [{ ...of({}), defaultToolTimeout: 0 }, /"defaultToolTimeout" has to be a number .* above 0; received 0/],
])('mcpTools says at once what is wrong with the source %j', async (source, told) => {
  const made = mcpTools(source as { url: string });
  await expect(made).rejects.toBeInstanceOf(TypeError);
  await expect(made).rejects.toThrow(told);
});

test.each<[string, () => unknown, string]>([
  ['toolSearch()', () => toolSearch(undefined as never), '"tools" has to be a list of tools; received undefined'],
  ['toolSearch, mode', () => toolSearch([], { mode: 'off' as never }), '"mode" has to be "on" or "auto"'],
  ['interruptOn()', () => interruptOn(undefined as never), '"tools" has to be a list of tools; received undefined'],
  ['interruptOn, rule', () => interruptOn([], 'All' as ApprovalRule), 'Did you mean "all"?'],
  ['verbatimTools()', () => verbatimTools(undefined as never), '"tools" has to be a list of tools; received undefined'],
  ['repairToolCalls', () => repairToolCalls({ maxRetry: 1 } as never), 'has no option "maxRetry". It has maxRetries.'],
  ['repairToolCalls, -2', () => repairToolCalls({ maxRetries: -2 }), 'has to be a whole number, 0 or more'],
  ['checkArguments', () => checkArguments(named, {}, { outputSchema: 'fial' as never }), 'Did you mean "fail"?'],
  ['checkArguments, 2', () => checkArguments(named, {}, { whenUndetermined: 'yes' as never }), '"refuse" or "allow"'],
  ['repairArguments', () => repairArguments(compileSchema({}), {}, null as never), 'null is no choice of repairs'],
])('The function %s says at once what is wrong', (_, call, told) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(told);
});

const unknown = 'An address has no "heders". Did you mean "headers"? It has transport, url';

// JavaScript can pass values that the types forbid.
test.each<[address: object, options: object, string]>([
  [{ url }, { idleTimeoutMs: -1 }, 'connect: "idleTimeoutMs" has to be a number of milliseconds above 0; received -1.'],
  [{ url }, { signal: new AbortController() }, '"signal" has to be an AbortSignal'],
  [{ url }, { timeout: 10 }, 'connect has no option "timeout". Did you mean "idleTimeoutMs"?'],
  [{ url: new URL(url) }, {}, 'href'],
  [{ url, heders: {} }, {}, unknown],
  [{ url, env: {} }, {}, 'An address has no "env".'],
  [{ transport: 'stdio', command: 'node', headers: {} }, {}, 'An address has no "headers".'],
])('connect says at once what is wrong with %j, %j', async (address, options, told) => {
  const connecting = connect(address as ServerAddress, options);
  await expect(connecting).rejects.toBeInstanceOf(TypeError);
  await expect(connecting).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
  await expect(connecting).rejects.toThrow(told);
});
