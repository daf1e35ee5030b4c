import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { server } from '../connection/parameters.js';
import { form, notice } from '../editor/form-description.js';
import { choiceField, jsonField, picker, toggle } from '../../credentials/fields.js';
import { callOptions, checks, connectionOptions, optionCollection, rawResult } from '../options/description.js';

const resource: INodeProperties = {
  ...choiceField('Resource', 'resource', 'tool', '', [
    ['Tool', 'tool', 'Something that the server can do'],
    ['Resource', 'resource', 'Something that the server holds, such as a file'],
    ['Prompt', 'prompt', 'A text for a model that the server fills in'],
  ]),
  noDataExpression: true,
};

function operations(resource: string, options: INodePropertyOptions[]): INodeProperties {
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options,
    default: 'list',
  };
}

const call = { resource: ['tool'], operation: ['call'] };
const tool = { tool: [''] };

/** Shown only in the tool that n8n derives from the node. */
const asTool = { '@tool': [true] };

const ownText = {
  displayName: 'Description',
  name: 'toolDescription',
  type: 'string',
  typeOptions: { rows: 2 },
  default: '',
  description: 'What the model reads about the tool. If empty, the name of the operation.',
} satisfies INodeProperties;

const otherOperations = { operation: ['get', 'list', 'listTemplates', 'read'] };

/** The MCP tool's description replaces n8n's generic one. A description that was set by hand stays. */
const toolDescription: INodeProperties[] = [
  {
    displayName: 'Tool Description',
    name: 'descriptionType',
    type: 'hidden',
    default: 'own',
    displayOptions: { show: asTool },
  },
  form('Tool Description', 'ownDescription', 'getToolDescription', 'text', {
    show: { ...asTool, ...call, descriptionType: ['own'] },
    hide: tool,
  }),
  {
    displayName: 'Description',
    name: 'toolDescription',
    type: 'hidden',
    default:
      '={{ $parameter.ownDescription?.value?.description || "Call the tool " + $parameter.tool + " of an MCP server" }}',
    displayOptions: { show: { ...asTool, ...call, descriptionType: ['own'] } },
  },
  { ...ownText, displayOptions: { show: { ...asTool, ...otherOperations, descriptionType: ['own'] } } },
  { ...ownText, displayOptions: { show: { ...asTool, descriptionType: ['manual'] } } },
];

const asJson = "Checked against the tool's schema before anything is sent";

export const output = {
  ...choiceField('Output', 'output', 'perTool', '', [
    ['One Item per Tool', 'perTool', 'Each tool exactly as the server sent it'],
    ['One Item per Tool, Compact', 'compact', 'Name, title, description, and the arguments on one line'],
    ['One Item with Everything', 'everything', 'The server, all its tools, those skipped and why, and notes'],
  ]),
  displayOptions: { show: { resource: ['tool'], operation: ['list'] } },
};

export const argumentsMode = {
  ...choiceField('Arguments', 'argumentsMode', 'form', '', [
    ['As a Form', 'form', 'One field per argument'],
    ['As JSON', 'json', 'The arguments as one JSON object'],
  ]),
  displayOptions: { show: call },
};

const meanings = 'Whether to show here what the tool and its arguments mean, as the server describes them';
const showDescriptions = toggle('Show Argument Descriptions', 'showDescriptions', false, meanings);

/** n8n reloads `cachedResultName` when another credential is chosen. */
const asTheTool = ['tool.value', 'tool.cachedResultName', 'server'];

const toolProperties: INodeProperties[] = [
  operations('tool', [
    { name: 'Call', value: 'call', action: 'Call a tool', description: 'Call a tool with arguments' },
    { name: 'List', value: 'list', action: 'List tools', description: 'List the tools, with their arguments' },
  ]),
  output,
  picker('Tool', 'tool', 'searchTools', { show: call }, { displayName: 'Name', name: 'name', placeholder: 'echo' }),
  argumentsMode,
  ...toolDescription,
  { ...showDescriptions, displayOptions: { show: call, hide: tool } },
  notice(
    'getToolHelp',
    asTheTool,
    'the tool',
    { show: { ...call, showDescriptions: [true] }, hide: tool },
    'aboutArguments',
  ),
  notice('getToolNotice', [...asTheTool, 'argumentsMode'], 'the tool', { show: call, hide: tool }),
  form('Form', 'form', 'getToolFields', 'argument', { show: { ...call, argumentsMode: ['form'] }, hide: tool }),
  {
    ...form('Arguments (JSON)', 'jsonArguments', 'getJsonField', 'argument', {
      show: { ...call, argumentsMode: ['json'] },
      hide: tool,
    }),
    description: asJson,
  },
];

const read = { show: { resource: ['resource'], operation: ['read'] } };
const byUri = { displayName: 'By URI', name: 'uri', placeholder: 'file:///notes/today.md' };

const templates = 'List the URIs that have parts to fill in';

const resourceProperties: INodeProperties[] = [
  operations('resource', [
    { name: 'List', value: 'list', action: 'List resources', description: 'List the resources of the server' },
    { name: 'List Templates', value: 'listTemplates', action: 'List resource templates', description: templates },
    { name: 'Read', value: 'read', action: 'Read a resource', description: 'Read the contents of a resource' },
  ]),
  {
    ...picker('Resource', 'uri', 'searchResources', read, byUri),
    description: 'A resource that the server lists, or a URI built from one of its templates',
  },
];

const get = { show: { resource: ['prompt'], operation: ['get'] } };

const byList =
  "The prompt's arguments as one JSON object; all values are texts. The list of prompts names them, the optional ones with a question mark.";
export const promptArguments: INodeProperties = {
  ...jsonField('Arguments (JSON)', 'arguments', byList),
  displayOptions: get,
};

const promptProperties: INodeProperties[] = [
  operations('prompt', [
    { name: 'Get', value: 'get', action: 'Get a prompt', description: 'Have the server fill in a prompt' },
    { name: 'List', value: 'list', action: 'List prompts', description: 'List the prompts of the server' },
  ]),
  picker('Prompt', 'prompt', 'searchPrompts', get, { displayName: 'Name', name: 'name', placeholder: 'summarize' }),
  promptArguments,
];

export const properties: INodeProperties[] = [
  server,
  resource,
  ...toolProperties,
  ...resourceProperties,
  ...promptProperties,
  optionCollection([...callOptions, checks(), rawResult], { resource: ['tool'], operation: ['call'] }),
  optionCollection(connectionOptions, { resource: ['tool'], operation: ['list'] }),
  optionCollection(connectionOptions, { resource: ['resource', 'prompt'] }),
];
