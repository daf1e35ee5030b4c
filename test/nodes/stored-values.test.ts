import type {
  INode,
  INodeParameters,
  INodeProperties,
  INodePropertyCollection,
  INodePropertyOptions,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { McpVerbatim } from '../../nodes/McpVerbatim/McpVerbatim.node.js';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { startDemoServer } from '../../test-support/demo-server/http.js';
import { atUrl, execution, named, toolsOf } from './context.js';
import { McpVerbatimHttpApi } from '../../credentials/McpVerbatimHttpApi.credentials.js';
import { McpVerbatimOAuth2Api } from '../../credentials/McpVerbatimOAuth2Api.credentials.js';
import { McpVerbatimStdioApi } from '../../credentials/McpVerbatimStdioApi.credentials.js';
import panels from './panels.json' with { type: 'json' };
import { built } from './packed.js';

const nodes = { McpVerbatim: new McpVerbatim(), McpVerbatimTool: new McpVerbatimTool() };
type NodeName = keyof typeof nodes;
const anyNode: INode = { id: '1', name: 'x', type: 'x', typeVersion: 1, position: [0, 0], parameters: {} };

interface Stored {
  node: NodeName;
  property: INodeProperties;
  /** The parameters of a node whose property has this value. */
  holding(value: unknown): INodeParameters;
}

const all = (Object.keys(nodes) as NodeName[]).flatMap(storedBy);

// n8n's editor builds the panels of this alone, and stored workflows hold its names. Whoever changes it changes the file.
test('The nodes and credentials have every field, choice, default and condition that panels.json lists', () => {
  const credentials = [new McpVerbatimHttpApi(), new McpVerbatimOAuth2Api(), new McpVerbatimStdioApi()];
  const described = Object.values(nodes).map(({ description, methods }) => ({
    ...description,
    methods: Object.entries(methods).map(([kind, each]) => [kind, ...Object.keys(each as object)]),
  }));
  expect(JSON.stringify([...described, ...credentials], null, 2)).toBe(JSON.stringify(panels, null, 2));
});

describe('the parameters of a node', () => {
  test('The parameters of a node are stored under words that the panel shows', () => {
    const stored = all.filter(({ property }) => property.type !== 'notice');
    const puzzling = stored.flatMap(({ property }) => {
      const { name, displayName } = property;
      const labels = isWord(name, displayName) || conventional.has(name) ? [] : [`${displayName}: ${name}`];
      // Kinds of repair have the names of the library's option, which its docs explain.
      const shown = property.name === 'kinds' ? [] : choicesOf(property);
      const choices = shown.filter((choice) => !isWord(String(choice.value), choice.name));
      return [...labels, ...choices.map((choice) => `${displayName}: ${choice.name}: ${String(choice.value)}`)];
    });
    expect([...new Set(puzzling)]).toEqual([]);
  });

  test.each(all.filter(({ property }) => property.type !== 'notice'))(
    'n8n keeps a stored parameter unchanged: $node $property.name',
    ({ node, property, holding }) => {
      const { description } = nodes[node];
      for (const value of valuesOf(property)) {
        const parameters = holding(value);
        const about = { ...anyNode, parameters };
        const read = NodeHelpers.getNodeParameters(description.properties, parameters, true, false, about, description);
        expect(read).toMatchObject(parameters);
      }
    },
  );

  const choices = all.filter(({ property }) => property.type === 'options' && choicesOf(property).length > 0);

  test.each(choices.filter(({ property }) => !['operation', 'resource'].includes(property.name)))(
    'An unknown choice of a parameter ends the run with an error that names it: $node $property.name',
    async ({ node, property, holding }) => {
      const message = `"${property.displayName}" is "setAside"`;
      await expect(run(node, holding('setAside'))).rejects.toThrow(message);
    },
  );

  test.each(['kinds', 'checkFormats', 'idleTimeout', 'maxResultLength', 'alwaysExpose', 'metadata'])(
    'A parameter ends the run with an error if an expression gave %s nothing that it takes',
    async (name) => {
      const stored = all.find(({ node, property }) => node === 'McpVerbatimTool' && property.name === name);
      const given = name === 'kinds' ? ['vowels'] : '7 or so';
      const label =
        name === 'kinds' ? '"vowels" is no choice of repairs' : stored!.property.displayName.replace(/ \(.*/, '');
      await expect(run('McpVerbatimTool', stored!.holding(name === 'alwaysExpose' ? 7 : given))).rejects.toThrow(label);
    },
  );
});

/** Names from n8n itself, or from the library's options that the docs show. */
const conventional = new Set(['resource', 'uri', 'argumentsMode', 'ownDescription', 'jsonArguments']);

function isWord(stored: string, shown: string): boolean {
  if (stored === '') return true;
  const words = shown.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const parts = stored.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
  return parts.every((part) => words.some((word) => word.startsWith(part)) || words.join('').includes(part));
}

function storedBy(node: NodeName): Stored[] {
  return nodes[node].description.properties.flatMap((property) => {
    const shown = shownBy(property);
    if (property.type === 'hidden' || property.name.startsWith('about')) return [];
    if (property.displayOptions?.show?.['@tool'] !== undefined) return [];
    if (property.type !== 'collection')
      return [
        { node, property, holding: (value): INodeParameters => ({ ...shown, [property.name]: value as string }) },
      ];
    return (property.options as INodeProperties[]).flatMap((option) => {
      const inOption = (value: unknown): INodeParameters => ({ ...shown, options: { [option.name]: value as string } });
      const [group] = option.type === 'fixedCollection' ? (option.options as INodePropertyCollection[]) : [];
      if (group === undefined || option.typeOptions?.multipleValues === true)
        return [{ node, property: option, holding: inOption }];
      const fields = group.values.map((field) => ({
        node,
        property: field,
        holding: (value: unknown) => inOption({ values: { ...shownBy(field), [field.name]: value } }),
      }));
      return [{ node, property: option, holding: inOption }, ...fields];
    });
  });
}

/** The values of other parameters that show a property. */
function shownBy({ displayOptions }: INodeProperties): INodeParameters {
  const shown = Object.entries(displayOptions?.show ?? {}).map(([name, values]) => [name, values?.[0]]);
  const hidden = Object.keys(displayOptions?.hide ?? {}).map((name) => [
    name,
    name === 'tool' ? named('book_table') : '{}',
  ]);
  const called = shown.some(([, value]) => value === 'call') ? [['tool', named('book_table')]] : [];
  return Object.fromEntries([...called, ...shown, ...hidden]) as INodeParameters; // properties' own values
}

function choicesOf({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
  return type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];
}

function valuesOf(property: INodeProperties): unknown[] {
  const choices = choicesOf(property).map(({ value }) => value);
  if (property.type === 'multiOptions') return [choices];
  return choices.length > 0 ? choices : [property.default];
}

async function run(node: NodeName, parameters: INodeParameters): Promise<unknown> {
  await using server = await startDemoServer();
  const under = { type: built.node(node), parameters, credentials: atUrl(server.url) };
  const started = execution(under);
  return node === 'McpVerbatimTool' ? await toolsOf({ ...started, node: under }) : await started.output([{ json: {} }]);
}
