// A stdio server of revision 2025-11-25 whose every text begins with its first argument (a URI component): `node
// hostile.mjs %1B%5B2J`. The tools that trigger the other texts have plain names.
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** @returns a function for a client's messages, each with a function that sends its answers */
export function hostile(prefix) {
  const t = (text) => `${prefix}${text}`;

  const field = {
    type: 'string',
    title: t('title'),
    description: t('description'),
    default: t('default'),
    examples: [t('example')],
    format: t('format'),
    $comment: t('comment'),
  };
  const schema = {
    type: 'object',
    title: t('title'),
    description: t('description'),
    properties: {
      [t('property')]: field,
      choice: { type: 'string', enum: [t('one'), t('two')] },
      constant: { const: t('constant') },
      number: { type: 'integer', description: t('description') },
      reference: { $ref: `#/$defs/${encodeURIComponent(t('definition'))}` },
      nowhere: { $ref: t('nowhere') },
      pattern: { type: 'string', pattern: `^(?:${t('').replace(/[^\w\s]/g, '\\$&')})?x$` },
    },
    patternProperties: {
      [`^x-${t('').replace(/[^\w\s]/g, '\\$&')}`]: { type: 'string', description: t('description') },
    },
    dependentRequired: { [t('property')]: ['choice'] },
    $defs: { [t('definition')]: { type: 'string', description: t('description') } },
    [t('keyword')]: t('value'),
  };
  const about = {
    title: t('title'),
    description: t('description'),
    icons: [{ src: t('icon'), mimeType: t('image/png') }],
    _meta: { [t('meta')]: t('meta') },
  };
  const tool = (name, more = {}) => ({ name, ...about, inputSchema: schema, ...more });
  const tools = [
    tool('say', { outputSchema: { type: 'object', properties: { [t('property')]: field } } }),
    tool('fail'),
    tool('refuse'),
    tool('form'),
    tool('page'),
    tool(t('named'), { annotations: { title: t('title'), [t('hint')]: t('hint'), readOnlyHint: t('hint') } }),
    tool(t('broken'), { inputSchema: { type: t('type') } }),
    { name: 5, description: t('description') },
  ];

  const content = [
    { type: 'text', text: t('text') },
    { type: 'text', text: `a line\n${t('line')}` },
    { type: 'image', data: 'AAAA', mimeType: t('image/png') },
    { type: 'audio', data: 'AAAA', mimeType: `audio/${t('wav')}` },
    { type: 'resource_link', uri: t('uri'), name: t('name'), ...about, mimeType: t('mime') },
    { type: 'resource', resource: { uri: t('uri'), mimeType: t('mime'), text: t('text') } },
    { type: 'resource', resource: { uri: t('uri'), mimeType: t('mime'), blob: 'AAAA' } },
    { type: t('type'), [t('member')]: t('member') },
  ];
  const requestedSchema = {
    type: 'object',
    properties: {
      [t('field')]: { type: 'string', title: t('title'), description: t('description'), default: t('default') },
      choice: { type: 'string', oneOf: [{ const: t('one'), title: t('One') }] },
    },
    required: ['choice'],
  };
  const page = { mode: 'url', message: t('message'), url: 'https://example.com/a', elicitationId: t('id') };
  const asking = new Map();

  const methods = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, prompts: {}, resources: {}, logging: {} },
      serverInfo: { name: t('server'), version: t('1'), websiteUrl: t('site'), ...about },
      instructions: `${t('instructions')}\n${t('second line')}`,
    }),
    'tools/list': ({ cursor }) => (cursor === undefined ? { tools: [], nextCursor: t('cursor') } : { tools }),
    'prompts/list': () => ({
      prompts: [{ name: t('prompt'), ...about, arguments: [{ name: t('argument'), ...about }] }],
    }),
    'prompts/get': () => ({ ...about, messages: [{ role: 'user', content: { type: 'text', text: t('text') } }] }),
    'resources/list': () => ({ resources: [{ uri: t('uri'), name: t('resource'), ...about, mimeType: t('mime') }] }),
    'resources/templates/list': () => ({
      resourceTemplates: [{ uriTemplate: t('{x}'), name: t('template'), ...about }],
    }),
    'resources/read': () => ({ contents: [{ uri: t('uri'), mimeType: t('mime'), text: t('text') }] }),
  };

  function call({ id, params }, send) {
    const { name, _meta } = params;
    const notify = (method, more) => send({ method: `notifications/${method}`, params: more });
    if (_meta?.progressToken !== undefined)
      notify('progress', { progressToken: _meta.progressToken, progress: 1, total: 2, message: t('progress') });
    notify('message', { level: 'error', logger: t('logger'), data: t('log') });
    if (name === 'refuse')
      send({ id, error: { code: -32000, message: `${t('message')}\n${t('line')}`, data: t('data') } });
    else if (name === 'form' || name === 'page') {
      asking.set(`ask ${name}`, (result) => send({ id, result }));
      const form = { mode: 'form', message: `${t('message')}\n${t('line')}`, requestedSchema };
      send({ id: `ask ${name}`, method: 'elicitation/create', params: name === 'page' ? page : form });
    } else {
      const structuredContent = { [t('member')]: t('member') };
      send({
        id,
        result: { content, structuredContent, ...(name === 'fail' && { isError: true }), _meta: about._meta },
      });
    }
  }

  return (message, send) => {
    const { id, method, params = {} } = message;
    if (method === 'tools/call') call(message, send);
    else if (method === undefined && asking.has(id)) asking.get(id)({ content });
    else if (id !== undefined && methods[method]) send({ id, result: methods[method](params) });
    else if (id !== undefined && method !== undefined)
      send({ id, error: { code: -32601, message: t('no such method') } });
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const prefix = decodeURIComponent(process.argv[2] ?? '');
  const receive = hostile(prefix);
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const message = JSON.parse(line);
      if (message.method === 'tools/call') process.stderr.write(`${prefix}stderr\n`);
      receive(message, send);
    })
    .on('close', () => process.exit(0));
}
