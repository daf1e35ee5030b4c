// The tools of the servers that are built with the official SDKs, in either version.

/** Written as text, for key order, `__proto__` and fields that the SDKs' own clients drop or reorder. */
export const toolsText = [
  '{"inputSchema":{"required":["a"],"properties":{"b":{"minimum":0,"type":"integer"},"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}},"additionalProperties":false,"type":"object"},"description":"Keys in an order of their own","name":"verbatim","x-vendor":{"z":1,"a":[{}]}}',
  '{"name":"proto","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}}',
  '{"name":"mirrored","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"text":{"type":"string"}}}}',
  '{"name":"structured","outputSchema":{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]},"inputSchema":{"type":"object"}}',
  '{"name":"failing","outputSchema":{"type":"object","required":["n"]},"inputSchema":{"type":"object"}}',
  '{"name":"changing","inputSchema":{"type":"object"}}',
  '{"name":"asking","inputSchema":{"type":"object","properties":{"questions":{"type":"array"},"separately":{"type":"boolean"}}}}',
  '{"name":"slow","inputSchema":{"type":"object"}}',
];

export const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {}, completions: {} };
export const info = { name: 'sdk', version: '1.2.3', title: 'Built with the SDK' };
export const instructions = 'Be exact.';

/**
 * The handlers for either version.
 *
 * @param setChanged announces a changed list of tools
 * @param ask asks the user every question of a call of "asking", by the version's means, and returns the tool's result
 */
export function handlers(setChanged, ask) {
  return {
    'tools/list': async () => ({ tools: toolsText.map((text) => JSON.parse(text)) }),
    'tools/call': async ({ params: { name, arguments: args } }, context) => {
      if (name === 'asking') return ask(args, context);
      if (name === 'structured') return { content: [{ type: 'text', text: '{"n":1}' }], structuredContent: { n: 1 } };
      if (name === 'failing')
        return {
          isError: true,
          content: [{ type: 'text', text: 'The disk is full.' }],
          structuredContent: { wrong: true },
        };
      if (name === 'changing') await setChanged();
      return { content: [{ type: 'text', text: JSON.stringify(args) }] };
    },
    'resources/list': async () => ({ resources: [{ uri: 'test://one', name: 'one', 'x-extra': 1 }] }),
    'resources/templates/list': async () => ({ resourceTemplates: [{ uriTemplate: 'test://{name}', name: 'any' }] }),
    'resources/read': async ({ params: { uri } }) => ({ contents: [{ uri, text: `the text of ${uri}` }] }),
    'prompts/list': async () => ({ prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }] }),
    'prompts/get': async ({ params }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Hello ${params.arguments.who}` } }],
    }),
    'completion/complete': async ({ params }) => ({
      completion: { values: [`${params.argument.value}lice`], total: 1 },
    }),
  };
}
