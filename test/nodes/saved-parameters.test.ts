import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { McpVerbatim } from '../../nodes/McpVerbatim/McpVerbatim.node.js';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { readOptions } from '../../nodes/options/read.js';
import { execution } from './context.js';

/** Parameters as workflows have them that were saved with version 0.1.0. They are never to change in a later one. */
const saved: [string, McpVerbatim | McpVerbatimTool, INodeParameters][] = [
  [
    'a call by form',
    new McpVerbatim(),
    {
      transport: 'stdio',
      resource: 'tool',
      operation: 'call',
      tool: { __rl: true, mode: 'list', value: 'book_table', cachedResultName: 'book_table' },
      argumentsMode: 'form',
      form: { mappingMode: 'defineBelow', value: { date: '2026-12-24', guests: 4 } },
      options: {
        assertFormats: true,
        outputSchema: 'fail',
        keepAlive: 60,
        integers: false,
        repairs: ['booleans', 'json', 'nulls', 'numbers', 'singletons'],
        whenUndetermined: 'allow',
        timeout: 1000,
        raw: true,
      },
    },
  ],
  [
    'a call by JSON',
    new McpVerbatim(),
    { resource: 'tool', operation: 'call', tool: 'echo', argumentsMode: 'json', arguments: '{"a":1}', options: {} },
  ],
  [
    'a list',
    new McpVerbatim(),
    { transport: 'oAuth2', resource: 'tool', operation: 'list', output: 'compact', options: {} },
  ],
  ['a resource', new McpVerbatim(), { resource: 'resource', operation: 'read', uri: 'demo://a', options: {} }],
  [
    'a prompt',
    new McpVerbatim(),
    { resource: 'prompt', operation: 'get', prompt: 'greet', arguments: '{}', options: {} },
  ],
  [
    'tools for an agent',
    new McpVerbatimTool(),
    {
      transport: 'http',
      include: 'selected',
      includeTools: ['book_table'],
      options: { prefix: 'crm', providerSafe: true, invalidArguments: 'fail', integers: false },
    },
  ],
  ['all tools but some', new McpVerbatimTool(), { include: 'except', excludeTools: ['echo'], options: {} }],
];

describe('a saved workflow', () => {
  test.each(saved)('opens unchanged: %s', (_what, type, parameters) => {
    const node: INode = { id: '1', name: 'x', type: 'x', typeVersion: 1, position: [0, 0], parameters };
    const { description } = type;
    expect(description.version).toBe(1);
    const read = NodeHelpers.getNodeParameters(description.properties, parameters, false, false, node, description);
    expect(parameters).toMatchObject(read ?? {});
    const all = NodeHelpers.getNodeParameters(description.properties, parameters, true, false, node, description);
    expect(all).toMatchObject(parameters);
  });

  test.each([
    [{}, { integers: true, booleans: false, enums: false }],
    [
      { integers: false, repairs: ['booleans'] },
      { integers: false, booleans: true, json: false },
    ],
    [
      { repair: 'choose', repairs: ['enums'] },
      { integers: true, enums: true, names: false },
    ],
  ])('means the repairs that it chose: %j', (options, kinds) => {
    expect(repairsOf(options)).toMatchObject(kinds);
  });

  test.each(['integers', 'safe', 'all', 'off'])('with Repairs: %s', (repair) => {
    expect(repairsOf({ repair, integers: true, repairs: ['json'] })).toBe(repair);
  });
});

function repairsOf(options: INodeParameters): unknown {
  const node = { type: new McpVerbatimTool(), parameters: { options } };
  return readOptions(execution(node).run(), 0).call.repairs;
}
