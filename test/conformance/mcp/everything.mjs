// A server with everything that the official server suite asks for, built on the official SDK: `everything.mjs stdio
// [handshake|latest]`, or `everything.mjs http`, which prints its URL. It speaks every revision, with and without
// sessions; `handshake` and `latest` limit it to those with a handshake, or to the latest.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createMcpHandler,
  createRequestStateCodec,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  ProtocolError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const [kind, revisions] = process.argv.slice(2);

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const image = { type: 'image', data: png, mimeType: 'image/png' };
const embedded = (uri, mimeType, value) => ({ type: 'resource', resource: { uri, mimeType, text: value } });
const none = { type: 'object', properties: {} };
const codec = createRequestStateCodec({ key: randomUUID() + randomUUID() });

const ask = (message, properties, required = Object.keys(properties)) => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
});
const sample = (prompt, maxTokens = 100) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens },
});
const askName = (message = 'What is your name?') => ask(message, { name: { type: 'string' } });
const listRoots = { method: 'roots/list', params: {} };
const wanting = async (inputRequests, state) => ({
  resultType: 'input_required',
  inputRequests,
  ...(state && { requestState: await codec.mint(state) }),
});
/** Announces changed lists to all listeners. */
let announce;
const answersIn = (ctx) => ctx.mcpReq.inputResponses ?? {};
const stateIn = (ctx) => ctx.mcpReq.requestState();
const confirmation = () => wanting({ confirm: ask('Please confirm', { ok: { type: 'boolean' } }) }, { step: 1 });
const reportProgress = async (ctx, progress, total) => {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  const params = { progressToken, progress, total };
  if (progressToken !== undefined) await ctx.mcpReq.notify({ method: 'notifications/progress', params });
};

/** @type {Record<string, { schema?: object, run: (args: any, ctx: any) => unknown }>} */
const tools = {
  test_simple_text: { run: () => text('This is a simple text response for testing.') },
  test_image_content: { run: () => ({ content: [image] }) },
  test_audio_content: { run: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }) },
  test_embedded_resource: {
    run: () => ({
      content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  },
  test_multiple_content_types: {
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  test_tool_with_logging: {
    run: async (_args, ctx) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
        await pause(50);
      }
      return text('Logged.');
    },
  },
  test_tool_with_progress: {
    run: async (_args, ctx) => {
      for (const progress of [0, 50, 100]) {
        await reportProgress(ctx, progress, 100);
        await pause(50);
      }
      return text('Done.');
    },
  },
  test_error_handling: {
    run: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_sampling: {
    schema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    run: async ({ prompt }, ctx) => {
      const { content } = await ctx.mcpReq.send(sample(prompt));
      return text(`LLM response: ${content.text}`);
    },
  },
  test_elicitation: {
    schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    run: async ({ message }, ctx) => {
      const field = (description) => ({ type: 'string', description });
      const fields = { username: field("User's response"), email: field("User's email address") };
      const { action, content } = await ctx.mcpReq.elicitInput(ask(message, fields).params);
      return text(`User response: action: ${action}, content: ${JSON.stringify(content)}`);
    },
  },
  test_elicitation_sep1034_defaults: {
    run: (_args, ctx) =>
      elicited(ctx, {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
  },
  test_elicitation_sep1330_enums: {
    run: (_args, ctx) => {
      const plain = ['option1', 'option2', 'option3'];
      const titled = (title) =>
        ['First', 'Second', 'Third'].map((nth, index) => ({ const: `value${index + 1}`, title: `${nth} ${title}` }));
      return elicited(ctx, {
        untitledSingle: { type: 'string', enum: plain },
        titledSingle: { type: 'string', oneOf: titled('Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
        titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
      });
    },
  },
  test_reconnection: {
    run: async (_args, ctx) => {
      ctx.http?.closeSSE?.();
      await pause(100);
      return text('Reconnection test completed.');
    },
  },
  json_schema_2020_12_tool: {
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: () => text('ok'),
  },
  test_missing_capability: {
    run: async () => wanting({ answer: sample('anything') }),
  },
  test_input_required_result_elicitation: {
    run: (_args, ctx) => {
      const name = answersIn(ctx).user_name?.content?.name;
      return typeof name === 'string' ? text(`Hello, ${name}!`) : wanting({ user_name: askName() });
    },
  },
  test_input_required_result_sampling: {
    run: (_args, ctx) => {
      const answer = answersIn(ctx).capital_question;
      return answer
        ? text(`Answer: ${JSON.stringify(answer.content)}`)
        : wanting({ capital_question: sample('What is the capital of France?') });
    },
  },
  test_input_required_result_list_roots: {
    run: (_args, ctx) => {
      const answer = answersIn(ctx).client_roots;
      return answer ? text(`Roots: ${JSON.stringify(answer.roots)}`) : wanting({ client_roots: listRoots });
    },
  },
  test_input_required_result_request_state: {
    run: (_args, ctx) => (answersIn(ctx).confirm && stateIn(ctx) ? text('state-ok') : confirmation()),
  },
  test_input_required_result_multiple_inputs: {
    run: (_args, ctx) => {
      const { user_name, greeting, client_roots } = answersIn(ctx);
      if (user_name && greeting && client_roots) return text('All inputs received.');
      const greetingAsked = sample('Generate a greeting', 50);
      return wanting({ user_name: askName(), greeting: greetingAsked, client_roots: listRoots }, { step: 1 });
    },
  },
  test_input_required_result_multi_round: {
    run: (_args, ctx) => {
      const state = stateIn(ctx);
      const { step1, step2 } = answersIn(ctx);
      if (state?.step === 2 && step2) return text('Both steps are done.');
      const colour = ask('Step 2: What is your favorite color?', { color: { type: 'string' } });
      if (state?.step === 1 && step1) return wanting({ step2: colour }, { step: 2 });
      return wanting({ step1: askName('Step 1: What is your name?') }, { step: 1 });
    },
  },
  test_logging_tool: {
    run: async (_args, ctx) => {
      await ctx.mcpReq.log('info', 'Logged.');
      return text('Logged.');
    },
  },
  test_streaming_elicitation: {
    run: async (_args, ctx) => {
      await reportProgress(ctx, 1);
      return answersIn(ctx).name ? text('Thanks.') : wanting({ name: askName() });
    },
  },
  test_trigger_tool_change: {
    run: () => {
      announce.toolsChanged();
      return text('Changed.');
    },
  },
  test_trigger_prompt_change: {
    run: () => {
      announce.promptsChanged();
      return text('Changed.');
    },
  },
  test_input_required_result_tampered_state: {
    run: (_args, ctx) => (stateIn(ctx) ? text('state-ok') : confirmation()),
  },
  test_input_required_result_capabilities: {
    run: (_args, ctx) => {
      const capabilities = ctx.mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {};
      if (Object.keys(answersIn(ctx)).length > 0) return text('Thanks.');
      const wanted = {
        ...(capabilities.elicitation && { name: askName() }),
        ...(capabilities.sampling && { greeting: sample('Generate a greeting') }),
      };
      return Object.keys(wanted).length > 0 ? wanting(wanted) : text('Nothing can be asked.');
    },
  },
};

async function elicited(ctx, fields) {
  const { action, content } = await ctx.mcpReq.elicitInput(ask('Please fill in.', fields, []).params);
  return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
}

const resources = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: png },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched.' },
};

const user = (content) => ({ role: 'user', content });
const prompts = {
  test_simple_prompt: { run: () => [user({ type: 'text', text: 'This is a simple prompt for testing.' })] },
  test_prompt_with_arguments: {
    args: ['arg1', 'arg2'],
    run: ({ arg1, arg2 }) => [user({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` })],
  },
  test_prompt_with_embedded_resource: {
    args: ['resourceUri'],
    run: ({ resourceUri: uri }) => [
      user(embedded(uri, 'text/plain', 'Embedded resource content for testing.')),
      user({ type: 'text', text: 'Please process the embedded resource above.' }),
    ],
  },
  test_prompt_with_image: {
    run: () => [user(image), user({ type: 'text', text: 'Please analyze the image above.' })],
  },
  test_input_required_result_prompt: {
    run: (_args, ctx) => {
      const context = answersIn(ctx).user_context?.content?.context;
      return context && [user({ type: 'text', text: `Context: ${context}` })];
    },
  },
};

function build() {
  const server = new Server(
    { name: 'conformance-everything', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      requestState: { verify: codec.verify },
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(tools).map(([name, { schema }]) => ({
      name,
      description: `The tool ${name}.`,
      inputSchema: schema ?? none,
    })),
  }));
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const tool = tools[params.name];
    if (!tool) throw new ProtocolError(-32602, `Unknown tool: ${params.name}`);
    return tool.run(params.arguments ?? {}, ctx);
  });
  server.setRequestHandler('resources/list', () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) => ({
      uri,
      name: uri,
      description: `The resource ${uri}.`,
      mimeType,
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    const found = resources[uri] ?? (id && { mimeType: 'application/json', text: data });
    if (!found) throw new ProtocolError(-32602, `Resource not found: ${uri}`, { uri });
    return { contents: [{ uri, ...found }] };
  });
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(prompts).map(([name, { args = [] }]) => ({
      name,
      description: `The prompt ${name}.`,
      arguments: args.map((arg) => ({ name: arg, description: arg, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, ctx) => {
    const prompt = prompts[params.name];
    if (!prompt) throw new ProtocolError(-32602, `Unknown prompt: ${params.name}`);
    const messages = prompt.run(params.arguments ?? {}, ctx);
    return messages
      ? { messages }
      : wanting({ user_context: ask('What context should the prompt use?', { context: { type: 'string' } }) });
  });
  server.setRequestHandler('completion/complete', ({ params: { argument } }) => ({
    completion: {
      values: ['paris', 'park', 'party'].filter((value) => value.startsWith(argument.value)),
      hasMore: false,
    },
  }));
  return server;
}

function announcing() {
  const server = build();
  announce = { toolsChanged: () => server.sendToolListChanged(), promptsChanged: () => server.sendPromptListChanged() };
  return server;
}

if (kind === 'stdio' && revisions === 'handshake') {
  await announcing().connect(new StdioServerTransport());
} else if (kind === 'stdio') {
  serveStdio(announcing, { legacy: revisions === 'latest' ? 'reject' : 'serve' });
} else {
  const handler = createMcpHandler(build, { legacy: 'reject' });
  announce = handler.notify;
  const sessions = new Map();
  createServer(async (request, response) => {
    const answer = await handle(request).catch(() => new Response(null, { status: 500 }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body)
      Readable.fromWeb(answer.body)
        .on('error', () => {})
        .pipe(response);
    else response.end();
  }).listen(0, '127.0.0.1', function () {
    console.log(`http://127.0.0.1:${this.address().port}/mcp`);
  });

  async function handle(incoming) {
    const { method, headers } = incoming;
    const body = method === 'POST' ? Readable.toWeb(incoming) : undefined;
    const request = new Request(`http://localhost${incoming.url}`, { method, headers, body, duplex: 'half' });
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refused) return refused;
    if (!(await isLegacyRequest(request))) return handler.fetch(request);
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const session = sessions.get(id);
      if (session) return session.handleRequest(request);
      const error = { code: -32001, message: 'Session not found' };
      return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: eventStore(),
      retryInterval: 500,
      onsessioninitialized: (fresh) => sessions.set(fresh, transport),
      onsessionclosed: (closed) => sessions.delete(closed),
    });
    await build().connect(transport);
    return transport.handleRequest(request);
  }
}

function eventStore() {
  const events = [];
  return {
    storeEvent: async (stream, message) => String(events.push({ stream, message }) - 1),
    getStreamIdForEventId: async (id) => events[id]?.stream,
    async replayEventsAfter(last, { send }) {
      const { stream } = events[last];
      for (const [id, event] of events.entries())
        if (id > last && event.stream === stream && event.message.jsonrpc) await send(String(id), event.message);
      return stream;
    },
  };
}
