import { version } from '../../package.json';
import type { Answers, Exchange, HttpServer } from './http.js';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const [string, integer] = [{ type: 'string' }, { type: 'integer' }];
const fields = {
  name: { ...string, title: 'Name', description: 'Who you are.', minLength: 2 },
  age: { ...integer, default: 7, minimum: 1 },
  colour: {
    ...string,
    oneOf: [
      { const: 'r', title: 'Red' },
      { const: 'g', title: 'Green' },
    ],
  },
  ok: { type: 'boolean' },
};
const question = { message: 'Who?\nPlease.', requestedSchema: object(fields, { required: ['name', 'colour'] }) };
const text = (value: unknown) => [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }];
const completed = (of: string) => ({ completion: { values: [of], hasMore: false } });

/** Arguments by which a test has the servers do something else. */
interface Wishes {
  /** The method of the question. */
  readonly method?: string;
  /** Whether the answer comes in a stream that resumes this one. */
  readonly pauses?: boolean;
  /** The resources that change. */
  readonly updated?: readonly string[];
  /** The params of a question with a page. */
  readonly page?: object;
}

const unknownMethod = ({ json, message }: Exchange) =>
  json({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });

/** A server of 2025-11-25 with a session, which reports and asks in the stream of a call. */
export function first(): Answers {
  let answered: (answer: object) => void = () => {};
  let announce: ReturnType<Exchange['stream']> = () => {};
  let resume: (send: typeof announce) => void = () => {};
  const capabilities = {
    tools: { listChanged: true },
    prompts: { listChanged: false },
    resources: { subscribe: true },
    completions: {},
    logging: {},
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    unknown: {},
  };
  const serverInfo = { name: 'first', version: '1', title: 'The first' };
  const search = {
    name: 'search',
    title: 'Search',
    description: 'Finds things.',
    inputSchema: object({ tenant: string, q: string, limit: integer }, { required: ['tenant', 'q'] }),
    outputSchema: object({ found: integer }),
    annotations: { readOnlyHint: true },
    _meta: { of: 'one' },
  };
  const pieces = { name: 'pieces', annotations: { destructiveHint: false, own: 'x' }, inputSchema: { properties: {} } };
  const data = 'iVBORw0KGgo=';
  const said = [
    { role: 'user', content: { type: 'text', text: 'Hi.' } },
    {
      role: 'assistant',
      content: [
        { type: 'image', mimeType: 'image/jpeg', data },
        { type: 'image', mimeType: 'image/gif', data },
      ],
    },
  ];
  const blocks = [
    { type: 'image', mimeType: 'image/png', data },
    { type: 'resource', resource: { uri: 'r:1', text: 'embedded' } },
    { type: 'resource_link', uri: 'r:2', name: 'linked' },
    { type: 'audio', mimeType: 'audio/mpeg', data },
  ];
  return {
    'server/discover': unknownMethod,
    initialize: ({ introduce }: Exchange) =>
      introduce({ capabilities, serverInfo, instructions: 'One.\nTwo.' }, { 'mcp-session-id': 'session-of-one' }),
    'tools/list': {
      tools: [
        search,
        { name: 'ask', description: 'Asks.', inputSchema: object({ 'a b': integer }) },
        pieces,
        { name: 'broken' },
      ],
    },
    'tools/call': ({ message: { id, params = {} }, stream, response, result }: Exchange) => {
      if (params['task'] !== undefined) {
        result({ task: { taskId: 't1', status: 'working' } });
        return;
      }
      const { progressToken } = (params['_meta'] ?? {}) as { progressToken?: unknown };
      const { method = 'elicitation/create', pauses, updated = [] } = (params['arguments'] ?? {}) as Wishes;
      const send = stream();
      const end = (more: object) => {
        send({ id, result: more });
        response.end();
      };
      send({ method: 'notifications/message', params: { level: 'info', data: 'searching' } });
      if (progressToken !== undefined)
        send({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2, message: 'half' } });
      if (params['name'] === 'pieces') {
        for (const uri of updated) announce({ method: 'notifications/resources/updated', params: { uri } });
        end({ content: blocks, structuredContent: { b: 1, a: [1.5] } });
        return;
      }
      if (params['name'] !== 'ask') {
        end({ content: text('x'.repeat(400)), structuredContent: { found: 3 } });
        return;
      }
      answered = (answer) => end({ content: text(answer), isError: true });
      if (pauses) {
        resume = (resumed) => resumed({ id, result: { content: text('resumed') } });
        response.end('id: of-one\nretry: 1\ndata:\n\n');
      } else send({ id: 'q1', method, params: question });
    },
    '': ({ body, status }: Exchange) => {
      status(202);
      answered((body['result'] ?? body['error']) as object);
    },
    GET: ({ headers, stream }: Exchange) => {
      const send = stream();
      if (headers['last-event-id'] === undefined) announce = send;
      else resume(send);
    },
    'notifications/roots/list_changed': ({ status }: Exchange) => {
      status(202);
      announce({ method: 'notifications/message', params: { level: 'info', data: 'unasked' } });
      announce({ method: 'notifications/tools/list_changed' });
      for (const uri of ['r:1', 'r:9']) announce({ method: 'notifications/resources/updated', params: { uri } });
    },
    'prompts/list': {
      prompts: [
        {
          name: 'greet',
          title: 'Greets',
          description: 'Greets somebody.',
          arguments: [{ name: 'who', required: true }, { name: 'how' }],
        },
      ],
    },
    'prompts/get': ({ message, result }: Exchange) =>
      result({ description: 'of one', messages: said, of: message.params }),
    'resources/list': {
      resources: [
        { uri: 'r:1', name: 'of one', title: 'The one', mimeType: 'text/plain', description: 'Of one.' },
        { uri: 'r:both', name: 'of one, too' },
      ],
    },
    'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'one:{x}', name: 'of one' }] },
    'resources/read': ({ message, result, json }: Exchange) => {
      const uri = message.params?.['uri'];
      if (uri !== 'r:1') {
        json({ jsonrpc: '2.0', id: message.id, error: { code: -32002, message: 'No such', data: { uri } } });
        return;
      }
      result({ contents: [{ uri, text: 'one' }] });
    },
    'resources/subscribe': {},
    'resources/unsubscribe': {},
    'completion/complete': completed('one'),
    'logging/setLevel': {},
    'tasks/get': { taskId: 't1', status: 'completed' },
    'tasks/list': {
      tasks: [
        { taskId: 't1', status: 'completed' },
        { taskId: 'of-another', status: 'working' },
      ],
    },
    'tasks/result': { content: text('y'.repeat(400)) },
    'tasks/cancel': { taskId: 't1', status: 'cancelled' },
  };
}

/** A server of 2026-07-28, which asks in its answer. */
export const second: Answers = {
  initialize: unknownMethod,
  'subscriptions/listen': ({ message: { id, params = {} }, stream }: Exchange) => {
    const about = { _meta: { 'io.modelcontextprotocol/subscriptionId': id }, notifications: params['notifications'] };
    stream()({ method: 'notifications/subscriptions/acknowledged', params: about });
  },
  'server/discover': {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, prompts: { listChanged: true }, resources: { listChanged: true }, completions: {} },
    instructions: 'Three.',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'second', version: '2' } },
  },
  'tools/list': {
    tools: [
      { name: 'search', description: 'Finds others.', inputSchema: object({ n: integer }, { required: ['n'] }) },
      { name: 'ask', inputSchema: object({}) },
    ],
  },
  'tools/call': ({ message: { params = {} }, result }: Exchange) => {
    const { inputResponses: responses, requestState } = params;
    if (params['name'] !== 'ask') {
      result({ resultType: 'complete', content: text(params['arguments']) });
      return;
    }
    if (responses) {
      result({ resultType: 'complete', content: text({ responses, requestState }) });
      return;
    }
    const { page } = (params['arguments'] ?? {}) as Wishes;
    const inputRequests = { who: { method: 'elicitation/create', params: page ?? question } };
    result({ resultType: 'input_required', requestState: 'state-of-two', inputRequests });
  },
  'prompts/list': { prompts: [{ name: 'greet' }, { name: 'other' }] },
  'prompts/get': ({ message, result }: Exchange) => result({ description: 'of two', messages: [], of: message.params }),
  'resources/list': {
    resources: [
      { uri: 'r:2', name: 'of two' },
      { uri: 'r:both', name: 'of two, too' },
    ],
  },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'two:{x}', name: 'of two' }] },
  'resources/read': ({ message, result }: Exchange) =>
    result({ contents: [{ uri: message.params?.['uri'], text: 'two' }] }),
  'completion/complete': completed('two'),
};

const shownHeaders = /^(?:mcp-.*|last-event-id|x-.*)$/;

/** Without what differs from run to run. */
export function stable<T>(value: T): T {
  const shown = JSON.stringify(value)
    .replaceAll(`"version":"${version}"`, '"version":"OURS"')
    .replaceAll(process.version, 'NODE')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
    .replaceAll(/session=[\da-f]{8}\b/g, 'session=ID')
    .replaceAll(/\bms=\d+/g, 'ms=N')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS');
  return JSON.parse(shown) as T;
}

/** The requests since the last time: method, params and the headers that matter. */
export function reached(server: HttpServer): object[] {
  return server.seen.splice(0).map(({ verb, headers, body: { jsonrpc: _, ...body } }) => {
    const given = Object.entries(headers).filter(([name]) => shownHeaders.test(name));
    return { ...(verb === 'POST' ? body : { verb }), headers: Object.fromEntries(given) };
  });
}

/** In an order that does not depend on time: a stream is opened beside requests, and two servers are asked at once. */
export function inOrder<T>(entries: T[]): T[] {
  return entries.sort((one, other) => placeOf(one).localeCompare(placeOf(other)));
}

const placeOf = (entry: unknown) =>
  JSON.stringify(entry).replace(/^{"id":(\d+)/, (_, id: string) => id.padStart(4, '0'));
