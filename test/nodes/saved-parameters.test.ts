import {
  NodeHelpers,
  type INode,
  type INodeParameters,
  type INodeProperties,
  type INodePropertyOptions,
} from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { McpVerbatim } from '../../nodes/McpVerbatim/McpVerbatim.node.js';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { readOptions } from '../../nodes/options/read.js';
import { execution } from './context.js';

type Row = [what: string, type: McpVerbatim | McpVerbatimTool, parameters: INodeParameters];

/** What both nodes share. */
const someOptions: INodeParameters[] = [
  { assertFormats: true, outputSchema: 'fail', keepAlive: 60, timeout: 1000, whenUndetermined: 'allow' },
  { outputSchema: 'ignore', whenUndetermined: 'refuse', repair: 'integers' },
  { outputSchema: 'warn', repair: 'safe' },
  { repair: 'all' },
  { repair: 'off' },
  {
    totalLimit: 5000,
    headers: { values: [{ name: 'X-Tenant', value: '={{ $json.tenant }}' }] },
    metadata: '={{ { traceparent: $json.traceparent } }}',
  },
  {
    repair: 'choose',
    repairs: [
      'blanks',
      'booleans',
      'decimals',
      'enums',
      'json',
      'lists',
      'names',
      'nulls',
      'numbers',
      'singletons',
      'strings',
      'wrappers',
      'blanks',
      'decimals',
      'words',
      'words',
      ...['allNulls', 'bits', 'consts', 'split'],
    ],
  },
];

/** Parameters as workflows have them that were saved with version 0.1.0. They are never to change in a later one. */
const saved: Row[] = [
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
      options: { prefix: 'crm', providerSafe: true, invalidArguments: 'tell', integers: false },
    },
  ],
  [
    'all tools but some',
    new McpVerbatimTool(),
    {
      workflowId: '={{ $workflow.id }}',
      include: 'except',
      excludeTools: ['echo'],
      options: { invalidArguments: 'fail' },
    },
  ],
  ...['readOnly', 'others'].map((include): Row => [
    'tools by what they do',
    new McpVerbatimTool(),
    { include, options: {} },
  ]),
  ...[
    { discovery: 'on-demand', pinned: ['echo'], whenAway: 'goOn', longestAnswer: 5000, instructions: true },
    { discovery: 'auto', whenAway: 'fail', providerSafe: false },
    { approved: '{"server":"sha256-a","tools":{"echo":{"digest":"sha256-b"}}}', whenChanged: 'warn' },
    { approved: '={{ $json.approved }}', whenChanged: 'fail' },
    { approved: '', whenChanged: 'setAside' },
    { discovery: 'all', fixedArguments: { values: [{ tool: 'echo', argument: 'a', value: '={{ $json.a }}' }] } },
  ].map((options): Row => ['what a model is offered', new McpVerbatimTool(), { options }]),
  ...[
    { whenAsked: 'decline' },
    { whenAsked: 'defaults' },
    { whenAsked: 'fixed', answers: '={{ { branch: $json.branch } }}' },
  ].flatMap((options): Row[] => [
    callRow('a call whose server asks', { operation: 'call', tool: 'echo', options }),
    ['tools whose server asks', new McpVerbatimTool(), { options }],
  ]),
  ...['each', 'single'].map((output) => callRow(`a list, ${output}`, { transport: 'http', operation: 'list', output })),
  ...[
    { resource: 'resource', operation: 'list' },
    { resource: 'resource', operation: 'listTemplates' },
    { resource: 'prompt', operation: 'list' },
  ].map((parameters) => callRow(`${parameters.resource}: ${parameters.operation}`, { ...parameters, options: {} })),
  ...someOptions.flatMap((options, index): Row[] => [
    callRow(`a call with options ${index}`, { operation: 'call', tool: 'echo', options }),
    ['tools with options', new McpVerbatimTool(), { transport: index % 2 ? 'stdio' : 'oAuth2', options }],
  ]),
];

function callRow(what: string, parameters: INodeParameters): Row {
  return [what, new McpVerbatim(), parameters];
}

describe('a saved workflow', () => {
  test.each(saved)('opens unchanged: %s', (_what, type, parameters) => {
    const node: INode = { id: '1', name: 'x', type: 'x', typeVersion: 1, position: [0, 0], parameters };
    const { description } = type;
    expect(description.version).toContain(1);
    const read = NodeHelpers.getNodeParameters(description.properties, parameters, false, false, node, description);
    expect(parameters).toMatchObject(read ?? {});
    const all = NodeHelpers.getNodeParameters(description.properties, parameters, true, false, node, description);
    expect(all).toMatchObject(parameters);
  });

  test.each([new McpVerbatim(), new McpVerbatimTool()])(
    'is here with every parameter, option and choice: %#',
    (type) => {
      const rows = saved.filter(([, { description }]) => description.name === type.description.name);
      const tried = new Set(rows.flatMap(([, , parameters]) => valuesOf(parameters)));
      expect(choicesOf(type.description.properties).filter((choice) => !tried.has(choice))).toEqual([]);
    },
  );

  test.each([
    [{}, { integers: true, booleans: false, enums: false }],
    // The two kinds that are kinds of their own since.
    [{ repairs: ['strings', 'nulls'] }, { strings: true, decimals: true, nulls: true, blanks: true, allNulls: false }],
    [{ repairs: ['words', 'enums'] }, { enums: true, booleans: false }],
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
    for (const version of [1, 1.1]) {
      expect(repairsOf({ repair, integers: true, repairs: ['json'] }, version)).toBe(repair);
    }
  });

  test.each<[INodeParameters, unknown]>([
    [{}, 'safe'],
    [{ integers: false }, 'safe'],
    [
      { repair: 'choose', repairs: ['strings'] },
      { integers: true, strings: true, decimals: false },
    ],
  ])('of version 1.1 repairs every safe kind unless another choice was made: %j', (options, chosen) => {
    const repairs = repairsOf(options, 1.1);
    if (typeof chosen === 'string') expect(repairs).toBe(chosen);
    else expect(repairs).toMatchObject(chosen as object);
  });

  test.each([
    [1, 'safe', 'integers'],
    [1.1, 'integers', 'safe'],
  ])(
    'of version %d is saved with a choice of %s, and without the one that is its default',
    (version, kept, dropped) => {
      const { description } = new McpVerbatimTool();
      const saved = (repair: string) => {
        const parameters = { options: { repair } };
        const node: INode = { id: '1', name: 'x', type: 'x', typeVersion: version, position: [0, 0], parameters };
        return NodeHelpers.getNodeParameters(description.properties, parameters, false, false, node, description);
      };
      expect(saved(kept)).toMatchObject({ options: { repair: kept } });
      expect(saved(dropped)?.['options']).not.toHaveProperty('repair', kept);
    },
  );
});

function repairsOf(options: INodeParameters, typeVersion = 1): unknown {
  const node = { type: new McpVerbatimTool(), parameters: { options }, settings: { typeVersion } };
  return readOptions(execution(node).run(), 0).tool.repairs;
}

/** `output`, `output=each`, `options.timeout` ... */
function choicesOf(properties: INodeProperties[], path = ''): string[] {
  return properties.filter(isSaved).flatMap(({ name, type, options = [] }) => {
    const own = path + name;
    // Of a collection, properties; of a list, choices.
    if (type === 'collection') return choicesOf(options as INodeProperties[], `${own}.`);
    if (type === 'fixedCollection') return [own];
    const choices = (options as INodePropertyOptions[]).map(({ value }) => `${own}=${String(value)}`);
    return [own, ...choices];
  });
}

/** Notices are shown, and what is hidden fills itself in: nothing is entered. Some the node has as a tool alone. */
function isSaved({ name, type, displayOptions }: INodeProperties): boolean {
  return type !== 'hidden' && !name.startsWith('about') && displayOptions?.show?.['@tool'] === undefined;
}

function valuesOf(parameters: INodeParameters, path = ''): string[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    const own = path + name;
    if (name === 'options') return valuesOf(value as INodeParameters, `${own}.`); // the one collection
    return [own, ...[value].flat().map((one) => `${own}=${JSON.stringify(one).replaceAll('"', '')}`)];
  });
}
