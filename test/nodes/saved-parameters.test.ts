import type { INode, INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { McpVerbatim } from '../../nodes/McpVerbatim/McpVerbatim.node.js';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { type NodeOptions, readOptions } from '../../nodes/options/read.js';
import { execution } from './context.js';

type Row = [type: McpVerbatim | McpVerbatimTool, parameters: INodeParameters, version: number];

const step = (parameters: INodeParameters, version = 1): Row => [new McpVerbatim(), parameters, version];
const toolNode = (parameters: INodeParameters, version = 1): Row => [new McpVerbatimTool(), parameters, version];
const callOf = (tool: INodeParameters[string], more: INodeParameters) => ({ operation: 'call', tool, ...more });

const allRepairs =
  'blanks booleans decimals enums json lists names nulls numbers singletons strings wrappers words allNulls bits split';

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
  { repair: 'choose', repairs: allRepairs.split(' ') },
  { whenAsked: 'decline' },
  { whenAsked: 'defaults' },
  { whenAsked: 'fixed', answers: '={{ { branch: $json.branch } }}' },
];

/** Parameters as workflows have them that were saved with version 0.1.0. They are never to change in a later one. */
const saved: Row[] = [
  step({
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
  }),
  step({ resource: 'tool', ...callOf('echo', { argumentsMode: 'json', arguments: '{"a":1}', options: {} }) }),
  step({ transport: 'oAuth2', resource: 'tool', operation: 'list', output: 'compact', options: {} }),
  ...['each', 'single'].map((output) => step({ transport: 'http', operation: 'list', output })),
  step({ resource: 'resource', operation: 'read', uri: 'demo://a', options: {} }),
  step({ resource: 'resource', operation: 'list', options: {} }),
  step({ resource: 'resource', operation: 'listTemplates', options: {} }),
  step({ resource: 'prompt', operation: 'get', prompt: 'greet', arguments: '{}', options: {} }),
  step({ resource: 'prompt', operation: 'list', options: {} }),
  toolNode({
    transport: 'http',
    include: 'selected',
    includeTools: ['book_table'],
    options: { prefix: 'crm', providerSafe: true, invalidArguments: 'tell', integers: false },
  }),
  toolNode({ include: 'except', excludeTools: ['echo'], options: { invalidArguments: 'fail' } }),
  ...['readOnly', 'others'].map((include) => toolNode({ include, options: {} })),
  ...[
    { discovery: 'on-demand', pinned: ['echo'], whenAway: 'goOn', longestAnswer: 5000, instructions: true },
    { discovery: 'auto', whenAway: 'fail', providerSafe: false },
    { approved: '{"server":"sha256-a","tools":{"echo":{"digest":"sha256-b"}}}', whenChanged: 'warn' },
    { approved: '={{ $json.approved }}', whenChanged: 'fail' },
    { approved: '', whenChanged: 'setAside' },
    { discovery: 'all', fixedArguments: { values: [{ tool: 'echo', argument: 'a', value: '={{ $json.a }}' }] } },
  ].map((options) => toolNode({ options })),
  ...someOptions.flatMap((options, index) => [
    step(callOf('echo', { options })),
    toolNode({ transport: index % 2 ? 'stdio' : 'oAuth2', options }),
  ]),
];

/** What both nodes share since version 1.2. */
const someGroups: INodeParameters[] = [
  {
    checks: { values: { assertFormats: true, outputSchema: 'fail', whenUndetermined: 'allow' } },
    keepAlive: 60,
    repairing: { values: { repair: 'choose', kinds: ['enums', 'numbers'] } },
    elicitation: { values: { whenAsked: 'fixed', answers: '={{ { branch: $json.branch } }}' } },
    timeLimits: { values: { idleTimeout: 30, maximumDuration: 90 } },
    sendAlong: {
      values: {
        headers: { values: [{ name: 'X-Tenant', value: '={{ $json.tenant }}' }] },
        metadata: '={{ { traceparent: $json.traceparent } }}',
      },
    },
  },
  // Groups in which everything is as it begins.
  { checks: { values: {} }, repairing: { values: {} }, elicitation: { values: {} }, sendAlong: { values: {} } },
];

const cached = { __rl: true, mode: 'list', value: 'echo', cachedResultName: 'echo · Says it again.' };
const byHand = { mappingMode: 'defineBelow', schema: [] };

/** Parameters as version 1.2 saves them. They are never to change in a later one. */
const savedGrouped: Row[] = [
  toolNode({ include: 'all' }, 1.2),
  ...someGroups.flatMap((options) => [
    step(callOf('echo', { options: { ...options, raw: true } }), 1.2),
    toolNode({ transport: 'oAuth2', options }, 1.2),
  ]),
  step(callOf(cached, { argumentsMode: 'json', jsonArguments: { ...byHand, value: { arguments: '{"a":1}' } } }), 1.2),
  step({ operation: 'list', options: { keepAlive: 60, timeLimits: { values: { idleTimeout: 5 } } } }, 1.2),
  toolNode(
    {
      options: {
        approval: { values: { approved: '{"server":"sha256-a","tools":{}}', whenChanged: 'warn' } },
        search: { values: { discovery: 'on-demand', pinned: ['echo'] } },
        checks: { values: { invalidArguments: 'fail' } },
        fixedArguments: { values: [{ tool: 'echo', argument: 'a', value: '={{ $json.a }}' }] },
        providerSafe: false,
        whenAway: 'goOn',
        longestAnswer: 5000,
        instructions: true,
        prefix: 'crm',
      },
    },
    1.2,
  ),
];

describe('a saved workflow', () => {
  test.each([...saved, ...savedGrouped])('opens unchanged: %#', (type, parameters, typeVersion) => {
    const node: INode = { id: '1', name: 'x', type: 'x', typeVersion, position: [0, 0], parameters };
    const { description } = type;
    expect(description.version).toContain(typeVersion);
    const read = NodeHelpers.getNodeParameters(description.properties, parameters, false, false, node, description);
    expect(parameters).toMatchObject(read ?? {});
    const all = NodeHelpers.getNodeParameters(description.properties, parameters, true, false, node, description);
    expect(all).toMatchObject(parameters);
  });

  test.each([new McpVerbatim(), new McpVerbatimTool()])(
    'is here with every parameter, option and choice: %#',
    (type) => {
      const rows = [...saved, ...savedGrouped].filter(
        ([{ description }]) => description.name === type.description.name,
      );
      const tried = new Set(rows.flatMap(([, parameters]) => valuesOf(parameters)));
      expect(choicesOf(type.description.properties).filter((choice) => !tried.has(choice))).toEqual([]);
    },
  );

  test.each<[version: number, options: INodeParameters, repairs: unknown]>([
    [1, {}, { integers: true, booleans: false, enums: false }],
    // The two kinds that are kinds of their own since.
    [1, { repairs: ['strings'] }, { strings: true, decimals: true, nulls: false }],
    [1, { repairs: ['nulls'] }, { nulls: true, blanks: true, allNulls: false }],
    [1, { repairs: ['words', 'enums'] }, { enums: true, booleans: false }],
    [1, { integers: false, repairs: ['booleans'] }, { integers: false, booleans: true, json: false }],
    [1, { repair: 'choose', repairs: ['enums'] }, { integers: true, enums: true, names: false }],
    ...['integers', 'safe', 'all', 'off'].flatMap((repair) =>
      [1, 1.1].map((version): [number, INodeParameters, string] => [version, { repair, repairs: ['json'] }, repair]),
    ),
    // Since 1.1 every safe kind is repaired unless another choice was made.
    [1.1, {}, 'safe'],
    [1.1, { integers: false }, 'safe'],
    [1.1, { repair: 'choose', repairs: ['strings'] }, { integers: true, strings: true, decimals: false }],
    // Since 1.2 it is one choice.
    [1.2, {}, 'safe'],
    [1.2, { repairing: { values: {} } }, 'safe'],
    [1.2, { repairing: { values: { repair: 'off', kinds: ['json'] } } }, 'off'],
    [1.2, { repairing: { values: { repair: 'choose' } } }, { integers: true, numbers: false }],
    [1.2, { repairing: { values: { repair: 'choose', kinds: ['json'] } } }, { integers: false, json: true }],
  ])('of version %d means the repairs that it chose: %j', (version, options, repairs) => {
    expect(read(options, version).tool).toMatchObject({ repairs });
  });

  test('means in groups what it meant in options one by one', () => {
    const call = { whenAsked: 'fixed', answers: '{"branch":"main"}' };
    const headers = { values: [{ name: 'X-Tenant', value: 'north' }] };
    const checks = { assertFormats: true, outputSchema: 'fail', whenUndetermined: 'allow', invalidArguments: 'fail' };
    const approval = { approved: '{"tools":{}}', whenChanged: 'warn' };
    const search = { discovery: 'on-demand', pinned: ['echo'] };
    const before = { ...checks, ...call, ...approval, ...search, headers, metadata: '{"a":1}', repair: 'all' };
    const oneByOne = read({ ...before, timeout: 30_000, totalLimit: 90_000, keepAlive: 60 }, 1.1);
    const grouped = read(
      {
        checks: { values: checks },
        elicitation: { values: call },
        approval: { values: approval },
        search: { values: search },
        sendAlong: { values: { headers, metadata: '{"a":1}' } },
        repairing: { values: { repair: 'all' } },
        timeLimits: { values: { idleTimeout: 30, maximumDuration: 90 } },
        keepAlive: 60,
      },
      1.2,
    );
    // Functions are equal to none but themselves.
    const comparable = ({ call, ...others }: typeof grouped) => ({
      ...others,
      call: { ...call, elicit: 0, signal: 0 },
    });
    expect(comparable(grouped)).toEqual(comparable(oneByOne));
    expect(grouped).toMatchObject({
      exposed: { failsOnInvalid: true },
      call: { idleTimeoutMs: 30_000, maxDurationMs: 90_000 },
    });
  });

  test.each([1, 1.1])('of version %d takes no object that an expression gave for a group', (version) => {
    const given = { metadata: { values: { repair: 'off' } }, checks: { values: { assertFormats: true } } };
    const { tool } = read(given, version);
    expect(tool).toMatchObject({ assertFormats: false });
    expect(tool.repairs).not.toBe('off');
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

function read(options: INodeParameters, typeVersion: number): NodeOptions {
  const node = { type: new McpVerbatimTool(), parameters: { options }, settings: { typeVersion } };
  return readOptions(execution(node).run(), 0);
}

/** `output`, `output=each`, `options.timeout` ... */
function choicesOf(properties: INodeProperties[], path = ''): string[] {
  return properties.filter(isSaved).flatMap(({ name, type, options = [] }) => {
    const own = path + name;
    // Of a collection, properties; of a list, choices.
    if (type === 'collection') return choicesOf(options as INodeProperties[], `${own}.`);
    // A group of fields is tried by its name alone; of what it chooses, the values are those of the options before.
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
