import type { INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RawAnswers, type RawServer, startRawServer } from '../../test-support/servers/raw-server.js';
import { serverName } from '../../nodes/connection/session.js';
import { choicesOf, editor, execution, fieldsOf, named, type NodeUnderTest, noticeOf } from './context.js';
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

  test("A call's panel labels each field with its title, a mark if it is required, and its type if the field does not show it", async () => {
    expect((await form('search')).map(({ displayName, type, removed }) => [displayName, type, removed])).toEqual([
      ['Project *', 'string', false],
      ['limit (integer 1 to 100)', 'number', false],
      ['since (YYYY-MM-DD)', 'string', false],
      ['state', 'options', false],
      ['exact', 'options', false],
      ['filter (JSON object)', 'string', false],
      ['either (string | integer)', 'string', false],
      ['kind *', 'options', false],
    ]);
  });

  test("A call's panel has enums in their real types, and fills in only defaults and required constants", async () => {
    const [, limit, , state, , filter, either, kind] = await form('search');
    expect(state?.options?.map(({ name, value }) => `${name}: ${String(value)}`)).toEqual([
      ...['open: "open"', '3: 3', 'null: null', 'true: true'],
    ]);
    const defaults = [limit, either, kind].map((field) => field?.defaultValue);
    expect(defaults).toEqual([10, undefined, '"issue"']);
    expect(filter).not.toHaveProperty('defaultValue');
  });

  test("A call's panel does not preselect a value of an optional argument, even the only one", async () => {
    const inputSchema = { type: 'object', properties: { other: { const: 'issue' }, flag: { enum: [true] } } };
    server.play(answering({ 'tools/list': { tools: [{ name: 'only', inputSchema }] } }));
    expect((await form('only')).map(({ defaultValue }) => defaultValue)).toEqual([undefined, undefined]);
  });

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

  test("A call's panel explains the tool and its arguments if that is switched on", async () => {
    expect(await noticeOf(callOf('search'), 'getToolHelp')).toBe(
      'Finds issues.<br>Newest first.<ul><li><b>Project</b>: Key of the project, such as ABC</li><li><b>limit</b>: How many at most</li>' +
        '<li><b>filter</b>: for example {"field":"title"}</li></ul>' +
        '<code>search(projectKey: string, limit?: integer 1..100 | null, since?: date, state?: "open" | 3 | true | null, ' +
        'exact?: boolean, filter?: object, either?: string | integer, kind: "issue", /^x-/?: any)</code>',
    );
    expect(await noticeOf(callOf('gone'), 'getToolHelp')).toContain('no tool "gone"');
    const [own] = await fieldsOf(callOf('search'), 'getToolDescription');
    expect(own?.defaultValue).toBe('Finds issues.\nNewest first.');
  });

  test("The JSON field of a call's panel begins with an example that the schema accepts, or with an empty object", async () => {
    const begins = async (tool: string, url = server.url) => {
      const fields = await fieldsOf(callOf(tool, 'json', url), 'getJsonField');
      expect(fields.map(({ id, type }) => [id, type])).toEqual([['arguments', 'object']]);
      return JSON.parse(String(fields[0]?.defaultValue)) as unknown;
    };
    expect(await begins('search')).toMatchObject({ projectKey: expect.any(String), filter: { field: 'title' } });
    expect(await begins('ping')).toEqual({});
    expect(await begins('')).toEqual({});
    expect(await begins('search', 'http://127.0.0.1:9/mcp')).toEqual({});
  });

  test("A call's panel says that parts of a schema have errors, and describes choices in their list", async () => {
    const [email, at, kind, who] = await form('invite');
    expect([email, at, who].map((field) => field?.displayName)).toEqual(['E-mail * (email)', 'at', 'who']);
    expect(kind?.options?.[0]).toEqual({ name: 'Online', value: '1', description: 'By video' });
    expect(kind?.defaultValue).toBe('2');
    expect(await notice('invite', 'form')).toContain("<b>This tool's schema has errors</b>");
  });

  test("A call's panel says so if a tool takes no arguments, does not exist, or cannot be listed", async () => {
    expect(await notice('ping', 'form')).toBe('It takes no arguments.');
    expect(await notice('terse', 'form')).toBe('');
    expect(await notice('gone', 'form')).toContain('no tool "gone"');
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

  test('The panel of prompts has those that can be chosen, with their arguments', async () => {
    const found = await choicesOf(mainNode({ resource: 'prompt', operation: 'get' }), 'searchPrompts');
    expect(found.map(({ name }) => name)).toEqual(['Sum up (sum_up) · text, style? · Sums a text up.', 'greet']);
  });

  test.each([
    [undefined, ["Today's notes · text/markdown", 'Customer 42']],
    ['db://', ['Customer 42']],
  ])('The panel of resources has those that are there, searched by %j', async (filter, expected) => {
    const found = await choicesOf(mainNode({ resource: 'resource', operation: 'read' }), 'searchResources', filter);
    expect(found.map(({ name }) => name)).toEqual(expected);
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

  /** The entries of the list in the notice. */
  async function warnings(parameters: INodeParameters, url = server.url): Promise<string> {
    const entries = (await notice(parameters, url)).matchAll(/<li>(.*?)<\/li>/g);
    return [...entries].map(([, entry]) => entry).join('\n');
  }

  const includes = async (parameters: INodeParameters = {}, url = server.url) =>
    (await choicesOf(toolNode(parameters, url), 'getIncludes')).map(({ name }) => name);

  test('MCP Verbatim Tool says at each choice how many tools the model gets and about how many tokens they take', async () => {
    const some = expect.stringMatching(/^All \(5 tools, about [\d,]+ tokens\)$/) as string;
    const none = 'Read-Only (0 tools, about 0 tokens)';
    const others = expect.stringMatching(/^All Except Read-Only \(5 tools, /) as string;
    const except = expect.stringMatching(/^All Except \(4 tools, about /) as string;
    expect(await includes()).toEqual([some, 'Selected', 'All Except', none, others]);
    const one = expect.stringMatching(/^Selected \(1 tool, about /) as string;
    expect(await includes({ include: 'selected', tools: ['ping'] })).toContainEqual(one);
    expect(await includes({ include: 'except', leaveOut: ['ping'] })).toContainEqual(except);
  });

  test('MCP Verbatim Tool has the choices without numbers if the server cannot be asked', async () => {
    const plain = ['All', 'Selected', 'All Except', 'Read-Only', 'All Except Read-Only'];
    expect(await includes({}, 'http://127.0.0.1:9/mcp')).toEqual(plain);
  });

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

  test('Before any run, MCP Verbatim Tool names the tools that a provider rejects and those that cannot be called', async () => {
    const text = await warnings({ include: 'all', options: { adaptSchemas: false } });
    expect(text).toContain('Anthropic rejects by_id_or_name. The option "Adapt Schemas to the Model"');
    expect(text).toContain('OpenAI rejects by_id_or_name');
    expect(text).toContain('Google Gemini rejects search');
    expect(text).toContain('1 tool cannot be called. "broken": ');
  });

  test.each([[{}], [null]])(
    'MCP Verbatim Tool does not warn of providers for whom schemas are adapted: %j',
    async (options) => {
      expect(await warnings({ include: 'all', options })).toMatch(/^1 tool cannot be called/);
    },
  );

  test('MCP Verbatim Tool names no tool that is not included', async () => {
    const text = await warnings({ include: 'selected', tools: ['search'], options: { adaptSchemas: false } });
    expect(text).toContain('rejects search');
    expect(text).not.toContain('by_id_or_name');
  });

  test('MCP Verbatim Tool warns of more tools than providers take', async () => {
    const many = Array.from({ length: 200 }, (_, n) => ({ ...huge, name: `t${n}` }));
    server.play(answering({ initialize: initialized, 'tools/list': { tools: many } }));
    expect(await warnings({})).toContain('(option "Tool Search")');
  });

  test('MCP Verbatim Tool warns of all tools if the choice is an expression without a value', async () => {
    const node = toolNode({ include: 'selected', tools: '={{ $json.names }}' });
    const asked = editor(node);
    const refusing: typeof asked = Object.create(asked, { getNodeParameter: { value: refuseExpressions } });
    expect(await noticeOf(node, 'getToolsNotice', refusing)).toContain('1 tool cannot be called');

    function refuseExpressions(name: string, fallback: unknown): unknown {
      const value: unknown = asked.getNodeParameter(name, fallback); // n8n's own type says so
      if (typeof value === 'string' && value.startsWith('=')) throw new Error("Node 'N' hasn't been executed");
      return value;
    }
  });

  function toolNode(parameters: INodeParameters, url = server.url): NodeUnderTest {
    const settings = { credentials: { mcpVerbatimHttpApi: { id: '1', name: 'Tracker' } } };
    return { type: built.node('McpVerbatimTool'), parameters, credentials: { mcpVerbatimHttpApi: { url } }, settings };
  }
});
