import type { INodeParameters, NodeOperationError } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type RawAnswers, type RawServer, startRawServer } from '../../test-support/servers/raw-server.js';
import { serverName } from '../../nodes/connection/session.js';
import { choicesOf, editor, execution, fieldsOf, named, type NodeUnderTest, noticeOf } from './context.js';
import answered from './editor-answers.json' with { type: 'json' };
import { McpVerbatim } from '../../nodes/McpVerbatim/McpVerbatim.node.js';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { built } from './packed.js';

const tools = [
  {
    name: 'search',
    title: 'Search issues',
    description: 'Finds issues.\nNewest first.',
    inputSchema: {
      type: 'object',
      properties: {
        projectKey: { type: 'string', title: 'Project', description: 'Key of the project, such as ABC' },
        limit: { type: ['integer', 'null'], minimum: 1, maximum: 100, default: 10, description: 'How many at most' },
        since: { type: 'string', format: 'date' },
        state: { enum: ['open', 3, null, true] },
        exact: { type: 'boolean' },
        filter: { type: 'object', properties: { field: { const: 'title' } }, required: ['field'] },
        either: { type: ['string', 'integer'] },
        kind: { const: 'issue' },
      },
      required: ['projectKey', 'kind'],
      patternProperties: { '^x-': {} },
    },
  },
  { name: 'by_id_or_name', inputSchema: { type: 'object', anyOf: [{ required: ['id'] }, { required: ['name'] }] } },
  { name: 'ping', inputSchema: { type: 'object', properties: {} } },
  { name: 'terse', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
  { name: 'broken' },
];
const invite = {
  name: 'invite',
  inputSchema: {
    type: 'object',
    properties: {
      email: { type: 'string', format: 'email', title: 'E-mail', description: 'Whom to invite' },
      at: { type: 'string', format: 'date-time', description: 'When it begins' },
      kind: { oneOf: [{ const: 1, title: 'Online', description: 'By video' }, { const: 2 }], default: 2 },
      who: { $ref: '#/$defs/nobody' },
    },
    required: ['email'],
  },
};
const huge = {
  name: 'huge',
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, { type: 'string' }])),
    required: ['f499'],
  },
};

const serverInfo = { name: 'tracker', version: '1.2' };
const initialized = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };

/** A server with these results of its methods. */
function answering(results: Record<string, object>): RawAnswers {
  return (method) => (results[method] ? { result: JSON.stringify(results[method]) } : undefined);
}

let server: RawServer;

// Each test has its own address, and so its own session.
beforeEach(async () => {
  server = await startRawServer(answering({ initialize: initialized, 'tools/list': { tools: [...tools, huge] } }));
});
afterEach(() => server[Symbol.asyncDispose]());

describe('the panel of a call', () => {
  beforeEach(() => {
    server.play(answering({ 'tools/list': { tools: [...tools, huge, invite] } }));
  });

  const form = (tool: string) => fieldsOf(callOf(tool), 'getToolFields');
  const notice = (tool: string, argumentsMode: string, url = server.url) =>
    noticeOf(callOf(tool, argumentsMode, url), 'getToolNotice');

  test("A call's panel has at most 100 fields, and does not show all of them at once", async () => {
    const fields = await form('huge');
    expect([fields.length, fields.filter(({ removed }) => !removed).length]).toEqual([100, 1]);
    expect(fields.at(-1)).toMatchObject({ id: 'f499', removed: false });
    expect(await notice('huge', 'form')).toContain('The form shows 100 of 500 arguments, the required ones first');
  });

  test("A call's panel warns of everything that the form cannot express, and of nothing else", async () => {
    expect(await notice('search', 'form')).toBe('Further arguments whose names match ^x- can only be given as JSON.');
    expect(await notice('search', 'json')).toBe('');
  });

  test('An error in a panel says what to do after the credential was edited, because n8n does not load notices again', async () => {
    expect(await notice('search', 'form', 'http://127.0.0.1:9/mcp')).toMatch(
      /127\.0\.0\.1:9.*Edited the credential since\? Close this panel and open it again\./s,
    );
    expect(await notice('search', 'form')).not.toContain('Edited the credential');
  });

  function callOf(tool: string, argumentsMode = 'form', url = server.url): NodeUnderTest {
    return mainNode({ operation: 'call', tool: named(tool), argumentsMode }, url);
  }
});

function mainNode(parameters: INodeParameters, url = server.url): NodeUnderTest {
  return { type: built.node('McpVerbatim'), parameters, credentials: { mcpVerbatimHttpApi: { url } } };
}

describe('the panels of prompts and resources', () => {
  /** Entries that cannot be chosen. */
  const odd = [null, 'text', { name: 5, uri: 5 }];
  const prompts = [
    {
      name: 'sum_up',
      title: 'Sum up',
      description: 'Sums a text up.',
      arguments: [{ name: 'text', required: true }, { name: 'style' }, null],
    },
    { name: 'greet' },
    ...odd,
  ];
  const resources = [
    { uri: 'file:///notes/today.md', name: 'today.md', title: "Today's notes", mimeType: 'text/markdown' },
    { uri: 'db://customers/42', name: 'Customer 42', title: 7 },
    ...odd,
  ];

  beforeEach(() => {
    const initialize = { ...initialized, capabilities: { prompts: {}, resources: {} } };
    server.play(answering({ initialize, 'prompts/list': { prompts }, 'resources/list': { resources } }));
  });

  test('The panels of prompts and resources leave out entries that cannot be chosen, which the node itself lists', async () => {
    const items = await execution(mainNode({ resource: 'prompt', operation: 'list' })).output();
    expect(items.slice(2).map(({ json }) => json)).toEqual([{ data: null }, { data: 'text' }, odd[2]]);
  });
});

test.each([
  [{ name: 'tracker', version: '1.2', title: 'Tracker' }, 'Tracker 1.2'],
  [{ name: 'tracker', version: '', title: '' }, 'tracker'],
  [{ name: '', version: '' }, 'the server'],
])('The name of a server with %j is %j', (serverInfo, expected) => {
  expect(serverName({ serverInfo })).toBe(expected);
});

test.each([
  ['tool', 'list', 'tracker 1.2 has no tools that can be called.'],
  ['prompt', 'list', 'tracker 1.2 has no prompts.'],
  ['resource', 'list', 'tracker 1.2 has no resources.'],
  ['resource', 'listTemplates', 'tracker 1.2 has no resource templates.'],
])('The hint about an empty list says why it is empty: %s, %s', async (resource, operation, says) => {
  server.play(answering({ initialize: initialized, 'tools/list': { tools: [] } }));
  const started = execution(mainNode({ resource, operation }));
  expect(await started.output()).toEqual([]);
  expect(started.hints.map(({ message }) => message)).toEqual([says]);
});

describe('the panel of MCP Verbatim Tool', () => {
  const notice = (parameters: INodeParameters = {}, url = server.url) =>
    noticeOf(toolNode(parameters, url), 'getToolsNotice');

  test('MCP Verbatim Tool shows no warning without a reason, and says when a shown one no longer applies', async () => {
    const isAsked = { mappingMode: 'defineBelow', value: null };
    const warning = { adaptSchemas: false };
    server.play(answering({ initialize: initialized, 'tools/list': { tools: tools.slice(0, 2) } }));
    expect(await notice()).toBe('');
    expect(await notice({ options: warning, about: isAsked })).toContain('rejects');
    // n8n's editor would go on showing the warning.
    expect(await notice({ about: isAsked })).toBe('Nothing to warn of any more.');
    expect(await notice({ about: isAsked })).toBe('Nothing to warn of any more.');
    // The panel was closed and opened.
    expect(await notice()).toBe('');
    expect(await notice({ about: isAsked })).toBe('');
  });

  test('MCP Verbatim Tool shows nothing if no credential is chosen, since n8n asks for one', async () => {
    expect(await noticeOf({ type: built.node('McpVerbatimTool') }, 'getToolsNotice')).toBe('');
  });

  function toolNode(parameters: INodeParameters, url = server.url): NodeUnderTest {
    const settings = { credentials: { mcpVerbatimHttpApi: { id: '1', name: 'Tracker' } } };
    return { type: built.node('McpVerbatimTool'), parameters, credentials: { mcpVerbatimHttpApi: { url } }, settings };
  }
});

/** A question of the editor: of which node, about which of the servers, with which parameters. */
interface Asked {
  server: string;
  node: string;
  method: string;
  parameters: INodeParameters;
  filter?: string;
}

test('The editor gets whole answers about every kind of server, tool, choice and option', async () => {
  type Answers = { times?: number; tools: object[]; prompts?: object[]; resources?: object[] };
  const running = Object.entries<Answers & { serverInfo?: object }>(answered.servers as never).map(
    async ([name, { times, tools, prompts, resources, ...more }]) => {
      const copies = (tool: object, at: number) => Object.assign({}, tool, { name: `t${at}` });
      const listed = times === undefined ? tools : Array.from({ length: times }, (_, at) => copies(tools[0]!, at));
      const initialize = { ...initialized, capabilities: { tools: {}, prompts: {}, resources: {} }, ...more };
      const lists = { 'tools/list': { tools: listed }, 'prompts/list': { prompts }, 'resources/list': { resources } };
      return [name, await startRawServer(answering({ initialize, ...lists }))] as const;
    },
  );
  const servers = new Map(await Promise.all(running));
  onTestFinished(async () => {
    await Promise.all([...servers.values()].map((each) => each[Symbol.asyncDispose]()));
  });
  /** Names of no server, for nodes without a credential, or without one that n8n can read. */
  const without: Record<string, object> = { none: {}, unset: { settings: {} } };
  const urlOf = (name: string) => servers.get(name)?.url ?? 'http://127.0.0.1:9/mcp';
  // The digest of an approved address differs by its port.
  const text = (answer: unknown, url: string) =>
    JSON.stringify(answer)
      .replaceAll(url, 'URL')
      .replaceAll(/(server\W+sha256-)[\w+/]+/g, '$1…');
  // What was approved before: an earlier state of another server's tools.
  const approved = await choicesOf(ofType(new McpVerbatimTool(), {}, urlOf('hidden')), 'getApprovals');
  const same = String(approved[1]?.value);
  const old = same.replace('"seen"', '"gone"').replace(/(instructions\W+digest\W+sha256-)./, '$1x');
  for (const [question, ...expected] of answered.asks) {
    const { server: name, node, method, parameters, filter } = JSON.parse(question!) as Asked;
    const url = urlOf(name);
    const type = node === 'MCP Verbatim' ? new McpVerbatim() : new McpVerbatimTool();
    const given = JSON.stringify(parameters)
      .replace('"OLD"', JSON.stringify(old))
      .replace('"SAME"', JSON.stringify(same));
    const under = ofType(type, JSON.parse(given) as INodeParameters, url);
    const context = editor(name in without ? { ...under, credentials: {}, ...without[name] } : under);
    const { getNodeParameter } = context;
    context.getNodeParameter = ((parameter: string, ...rest: [never]) => {
      const value: unknown = getNodeParameter(parameter, ...rest);
      if (typeof value === 'string' && value.startsWith('=')) throw new Error("Node 'N' hasn't been executed");
      return value;
    }) as typeof getNodeParameter;
    const { loadOptions, listSearch, resourceMapping } = under.type.methods ?? {};
    const methods: Record<string, unknown> = { ...loadOptions, ...listSearch, ...resourceMapping };
    const asking = methods[method] as (this: typeof context, filter?: string) => Promise<unknown>;
    const answer = await asking.call(context, filter).catch((error: unknown) => {
      const { message, description } = error as NodeOperationError;
      return { message, description };
    });
    const { fields, results } = Array.isArray(answer)
      ? { fields: undefined, results: answer }
      : (answer as { fields?: unknown[]; results?: unknown[] });
    const entries = results ?? (fields && fields.length > 0 ? fields : [answer]);
    expect([question, ...entries.map((entry) => text(entry, url))]).toEqual([question, ...expected]);
  }

  function ofType(type: NodeUnderTest['type'], parameters: INodeParameters, url: string): NodeUnderTest {
    const settings = { credentials: { mcpVerbatimHttpApi: { id: '1', name: 'Tracker' } } };
    return { type, parameters, credentials: { mcpVerbatimHttpApi: { url } }, settings };
  }
});
