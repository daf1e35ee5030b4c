import { expect, test } from 'vitest';
import { approveTools } from '../../src/approval/index.js';
import { IncompleteListError, readCatalogue, type Catalogue, type CatalogueTool } from '../../src/mcp/index.js';
import { distinctPrefixes, modelTools } from '../../src/tool/index.js';
import { toolSet } from '../../src/toolset/index.js';
import type { ToolPolicy, ToolSelection, ToolServer, ViewOptions } from '../../src/toolset/index.js';
import views from './views.json' with { type: 'json' };

const inputSchema = { type: 'object', properties: { tenant: { type: 'integer' }, query: {} }, required: ['tenant'] };
const readAndWrite = catalogue([
  { name: 'read', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'write', inputSchema },
]);

function catalogue(definitions: readonly object[]): Catalogue {
  return readCatalogue(definitions, {});
}

interface HostCall {
  readonly context: string;
}

/** A server without a connection: these tests are about the lists that the set makes. */
class Server implements ToolServer<object, HostCall> {
  name = 'crm';
  listed = readAndWrite;
  prefix: string | undefined;
  readonly sent: unknown[] = [];
  /** The host's calls, as `use` and `send` get them. */
  readonly calls: unknown[] = [];
  /** Runs between listing and sending, like concurrent calls. */
  meanwhile = () => {};

  constructor(
    readonly policy: ToolPolicy = {},
    about: { name?: string; prefix?: string; listed?: Catalogue } = {},
  ) {
    Object.assign(this, about);
  }

  use<T>(work: (open: object) => Promise<T>, call?: HostCall): Promise<T> {
    this.calls.push(call);
    return work({});
  }

  list(): Promise<Catalogue> {
    return Promise.resolve(this.listed);
  }

  send: ToolServer<object, HostCall>['send'] = async (_open, tool, args, { beforeSending }, call) => {
    this.calls.push(call);
    this.meanwhile();
    await beforeSending?.({ listTools: () => Promise.resolve(this.listed) });
    this.sent.push({ [tool.name]: args });
    return { content: [], isError: false } as never; // nothing reads it
  };
}

async function listed(servers: Server[], options: ViewOptions = {}) {
  return toolSet<object, HostCall, Server>(servers, options).list();
}

async function call(server: Server, name: string, args: object, set = toolSet<object, HostCall, Server>([server])) {
  await set.list();
  const tool = server.listed.find(name) ?? readAndWrite.find(name);
  return set.call(server, tool!, args, {}, { context: 'the call' });
}

test.each<[ToolSelection, string[]]>([
  [{}, ['read', 'write']],
  [{ include: ['write', 'other'] }, ['write']],
  [{ exclude: ['write'] }, ['read']],
  [{ include: ['read', 'write'], exclude: ({ name }, server) => name === 'read' && server === 'crm' }, ['write']],
  [{ readOnly: true }, ['read']],
  [{ readOnly: false }, ['write']],
])('The selection %o exposes only %o, and only these can be called', async (selection, names) => {
  const server = new Server({ selection });
  const view = await listed([server]);
  expect(view.sent.map(({ name }) => name)).toEqual(names);
  for (const name of ['read', 'write']) {
    const called = call(server, name, { tenant: 1 });
    if (names.includes(name)) await called;
    else await expect(called).rejects.toMatchObject({ code: 'UNKNOWN_TOOL' });
  }
  expect(server.sent).toHaveLength(names.length);
});

test('A name does not depend on which servers are connected', async () => {
  const hub = { name: 'hub_search', inputSchema: { type: 'object' } };
  const one = () => new Server({}, { name: 'git', prefix: 'git', listed: catalogue([hub]) });
  const other = new Server({}, { name: 'git_hub', prefix: 'git_hub', listed: catalogue([{ ...hub, name: 'search' }]) });
  const down = new Server({}, { name: 'git_hub', prefix: 'git_hub' });
  down.use = () => Promise.reject(new Error('away'));
  const namesWith = async (second: Server) => (await listed([one(), second])).tools.map(({ tool }) => tool.name);
  expect(await namesWith(other)).toEqual(['git__hub_search', 'git_hub_search']);
  expect(await namesWith(down)).toEqual(['git__hub_search']);
});

test.each([
  [['git_', 'git__']],
  [['git.hub', 'git_hub', 'git-hub']],
  [['git', 'git_hub', 'git__hub', 'git_']],
  [['jira 世', 'jira 界']],
])('Names with the prefixes %j are never the same', (prefixes) => {
  const distinct = distinctPrefixes(prefixes);
  const names = ['a', '_a', 'hub_a', 'hub__a', '_hub_a', '__a'].map((name) => ({ name, inputSchema: {} }));
  const { tools } = readCatalogue(names);
  const named = distinct.flatMap((prefix) => modelTools(tools, { prefix }).map(({ name }) => name));
  expect(new Set(named).size).toBe(named.length);
  expect(distinctPrefixes(distinct)).toEqual(distinct);
});

test('A server whose approval fails has no tools and no instructions', async () => {
  const listed = { ...catalogue([]), instructions: 'Be evil.' };
  const server = new Server({ approved: approveTools(readAndWrite), whenChanged: 'fail' }, { listed });
  const { admission } = (await toolSet<object, HostCall, Server>([server]).list()).servers[0]!;
  expect(admission).toMatchObject({ problem: { code: 'NOT_AS_APPROVED' }, catalogue: { tools: [] } });
  expect(admission?.catalogue.instructions).toBeUndefined();
});

test.each([1, () => 1])('A tool without the fixed argument is disabled, and the others stay', async (value) => {
  const server = new Server({ fixed: { read: { tenants: value } } });
  const view = await listed([server]);
  expect(view.sent.map(({ name }) => name)).toEqual(['write']);
  expect(view.servers[0]?.admission?.catalogue.skipped).toMatchObject([
    { name: 'read', position: 0, reason: { code: 'fixed-arguments' } },
  ]);
  await expect(call(server, 'read', { tenant: 1 })).rejects.toMatchObject({ code: 'UNKNOWN_TOOL' });
});

test('Fixed arguments get the types of the schema, and their functions the context of the call', async () => {
  const server = new Server({ fixed: { write: { tenant: () => '7', query: (of: unknown) => `of ${String(of)}` } } });
  await call(server, 'write', { tenant: 8 });
  expect(server.calls).toEqual([undefined, { context: 'the call' }, { context: 'the call' }]);
  expect(server.sent).toEqual([{ write: { tenant: 7, query: 'of the call' } }]);
  const valueless = new Server({ fixed: { write: { tenant: undefined } } });
  await expect(call(valueless, 'write', { tenant: 8 })).rejects.toThrow('tenant: has no value');
});

const changed = catalogue([{ name: 'write', inputSchema: { type: 'object', properties: { tenant: { const: 'x' } } } }]);

test('Arguments are checked again if the tool changed between the list and the call', async () => {
  const server = new Server();
  server.meanwhile = () => (server.listed = changed);
  await expect(call(server, 'write', { tenant: 1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
  expect(server.sent).toEqual([]);
  server.listed = readAndWrite;
  server.meanwhile = () => (server.listed = changed);
  await call(server, 'write', { tenant: 'x' }).catch(() => {});
  expect(server.sent).toEqual([]);
});

test('A tool that differs from its approval is not called, whenever it changed', async () => {
  const server = new Server({ approved: approveTools(readAndWrite) });
  await call(server, 'write', { tenant: 1 });
  server.meanwhile = () => (server.listed = changed);
  await expect(call(server, 'write', { tenant: 1 })).rejects.toMatchObject({ code: 'NOT_AS_APPROVED' });
  await expect(call(server, 'write', { tenant: 'x' })).rejects.toMatchObject({ code: 'NOT_AS_APPROVED' });
  expect(server.sent).toEqual([{ write: { tenant: 1 } }]);
});

test('A call continues if the same tools were listed again', async () => {
  const server = new Server({ approved: approveTools(readAndWrite) });
  server.meanwhile = () => (server.listed = catalogue(readAndWrite.tools.map(({ definition }) => definition)));
  await call(server, 'write', { tenant: '1' });
  expect(server.sent).toEqual([{ write: { tenant: 1 } }]);
});

test('A call of a tool that changes at each attempt is given up without being sent', async () => {
  const server = new Server();
  let count = 0;
  server.meanwhile = () =>
    (server.listed = catalogue([{ name: 'write', inputSchema: { ...inputSchema, title: `${count++}` } }]));
  await expect(call(server, 'write', { tenant: 1 })).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    outcomeUnknown: false,
  });
  expect(server.sent).toEqual([]);
  // Each attempt lists twice, and the last one is not followed by another.
  expect(count).toBe(5);
});

test('The list before a call has the time limit and the signal of the call, and may be a part that has the tool', async () => {
  const server = new Server();
  const about: unknown[] = [];
  server.list = (...given: unknown[]) => {
    about.push(given[1]);
    return Promise.reject(new IncompleteListError('It is torn.', readAndWrite));
  };
  const { signal } = new AbortController();
  const set = toolSet<object, HostCall, Server>([server]);
  const call = (name: string) =>
    set.call(server, { name } as CatalogueTool, { tenant: 1 }, { signal, idleTimeoutMs: 7 }, { context: '' });
  await call('read');
  expect(about).toEqual([{ signal, idleTimeoutMs: 7 }]);
  await expect(call('gone')).rejects.toThrow('It is torn.');
  expect(server.sent).toEqual([{ read: { tenant: 1 } }]);
});

test('A tool is reported as it is listed: once for each list, and again after a failure', async () => {
  const server = new Server();
  const admitted: unknown[] = [];
  Object.assign(server, { onAdmitted: (admission: unknown) => admitted.push(admission) });
  const set = toolSet<object, HostCall, Server>([server]);
  await set.list();
  await set.list();
  server.list = () => Promise.reject(new Error('away'));
  expect((await set.list()).servers[0]?.error).toEqual(new Error('away'));
  server.list = () => Promise.resolve(readAndWrite);
  expect((await set.list()).servers[0]?.error).toBeUndefined();
  expect(admitted).toHaveLength(1);
});

test('A server that fails keeps its tools, and the report has its error', async () => {
  const server = new Server();
  const set = toolSet<object, HostCall, Server>([server, new Server({}, { name: 'other', prefix: 'o' })]);
  await set.list();
  const before = set.view();
  expect(await set.list()).toBe(before);
  server.list = () => Promise.reject(new Error('away'));
  const after = await set.list();
  expect(after.sent.map(({ name }) => name)).toEqual(['read', 'write', 'o_read', 'o_write']);
  expect(after.servers.map(({ error }) => error)).toEqual([new Error('away'), undefined]);
  server.list = () => Promise.resolve(readAndWrite);
  const others = await set.list({}, ({ name }) => name === 'other');
  expect(others.servers[0]?.error).toEqual(new Error('away'));
});

test('A tool that is not exposed is unknown, with the reason', async () => {
  const server = new Server({ approved: approveTools(readAndWrite) }, { prefix: 'crm', listed: changed });
  const set = toolSet<object, HostCall, Server>([new Server({}, { name: 'other', listed: catalogue([]) }), server]);
  await set.list();
  for (const name of ['write', 'crm_write'])
    expect(set.route(name, {})).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/^It has changed since/),
    });
});

/** A server, its approved tools, and how it is called, as `views.json` has them. */
interface Listed {
  about: string;
  servers: {
    name: string;
    prefix?: string;
    away?: boolean;
    policy?: object;
    approves?: object[];
    tools: object[];
    instructions?: string;
  }[];
  options?: ViewOptions;
  calls?: [name: string, args: object][];
  routes?: [name: string, args: object, text?: string][];
  expected: unknown;
}

const facts = (error: unknown) =>
  error instanceof Error ? Object.assign({}, error, { title: undefined, message: error.message }) : undefined;

// JSON's types are wider.
test.each(views as unknown as Listed[])('Tools are listed, named, searched and called with $about', async (given) => {
  const servers = given.servers.map(({ name, prefix, away, policy, approves, tools, instructions = 'Be good.' }) => {
    const approved = approves && approveTools({ ...catalogue(approves), instructions: 'Be good.' });
    const listed = { ...catalogue(tools), instructions };
    const server = new Server(
      { ...policy, ...(approved && { approved }) },
      { name, ...(prefix && { prefix }), listed },
    );
    return Object.assign(server, away && { use: () => Promise.reject(new Error('away')) });
  });
  const set = toolSet<object, HostCall, Server>(servers, given.options);
  const view = await set.list();
  const namesOf = (named: Iterable<{ name: string }>) => Array.from(named, ({ name }) => name);
  const ofServers = view.servers.map(({ server: { name }, tools, admission, error }) => ({
    ...{ name, error: facts(error), ...admission, problem: facts(admission?.problem), tools: namesOf(tools) },
    listed: admission && namesOf(admission.listed.tools),
    catalogue: admission && [namesOf(admission.catalogue.tools), admission.catalogue.instructions],
    skipped: admission?.catalogue.skipped.map((entry) => JSON.stringify(entry)),
    found: admission?.catalogue.find('write')?.name,
    admitted:
      admission && Array.from(admission.tools, ([own, { tool, fixed }]) => JSON.stringify([own, tool.name, fixed])),
  }));
  const answers: unknown[] = [];
  for (const [name, args, text] of given.routes ?? []) {
    const route = set.route(name, args, text);
    const { tool, server, ...rest } = { tool: undefined, server: undefined, ...route };
    const refusal = route.kind === 'tool' ? route.refusal('No.') : undefined;
    answers.push({ ...rest, found: undefined, tool: tool?.name, of: server?.name, refusal });
  }
  const outcomes: unknown[] = [];
  for (const [name, args] of given.calls ?? []) {
    const [server] = servers;
    const asked = [{ name } as CatalogueTool, args, { repairs: 'all' }, { context: 'the call' }] as const;
    const checked = await set.check(server!, ...asked).catch(facts);
    const called = await set.call(server!, ...asked).catch(facts);
    outcomes.push(JSON.stringify([checked, called, server!.sent.splice(0)]));
  }
  const { sent, renamed, warnings, problem, search } = view;
  const listed = {
    sent: sent.map(({ tool: _, ...shown }) => JSON.stringify(shown)),
    renamed: namesOf(renamed),
    warnings,
  };
  const own = {
    problem: facts(problem),
    own: search && namesOf(search.own),
    tools: view.tools.map(({ tool }) => tool.name),
  };
  const happened = { ...listed, ...own, servers: ofServers, routes: answers, calls: outcomes };
  expect(JSON.parse(JSON.stringify(happened))).toEqual(given.expected);
});
