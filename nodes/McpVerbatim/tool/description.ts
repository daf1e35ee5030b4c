import type { INodeProperties } from 'n8n-workflow';
import { notice } from '../../editor/notice.js';
import { beforeGroups, sinceGroups } from '../../options/description.js';

const list = { show: { resource: ['tool'], operation: ['list'] } };
const asJson = "Checked against the tool's schema before anything is sent";
const call = { show: { resource: ['tool'], operation: ['call'] } };

/** Of the tool that n8n makes of the node, and whose description a model reads. */
const asTool = { '@tool': [true] };

/**
 * n8n's own words for it, "Call a tool in MCP Verbatim", say nothing of the tool. The tool's own stand in a form, because
 * of all that n8n's editor has nothing else begins with what a node gives it. What was set by hand stays as it was.
 */
const toolDescription: INodeProperties[] = [
  {
    displayName: 'Tool Description',
    name: 'descriptionType',
    type: 'hidden',
    default: 'own',
    displayOptions: { show: asTool },
  },
  {
    displayName: 'Tool Description',
    name: 'ownDescription',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    typeOptions: {
      loadOptionsDependsOn: ['tool.value'],
      resourceMapper: {
        resourceMapperMethod: 'getToolDescription',
        mode: 'add',
        fieldWords: { singular: 'text', plural: 'texts' },
        valuesLabel: 'Tool Description',
        addAllFields: true,
        supportAutoMap: false,
      },
    },
    displayOptions: { show: { ...asTool, ...call.show, descriptionType: ['own'] }, hide: { tool: [''] } },
  },
  {
    displayName: 'Description',
    name: 'toolDescription',
    type: 'hidden',
    default:
      '={{ $parameter.ownDescription?.value?.description || "Call the tool " + $parameter.tool + " of an MCP server" }}',
    displayOptions: { show: { ...asTool, ...call.show, descriptionType: ['own'] } },
  },
  {
    displayName: 'Description',
    name: 'toolDescription',
    type: 'string',
    typeOptions: { rows: 2 },
    default: '',
    placeholder: 'Lists what the customer has ordered',
    description: 'What a model is told the tool does. If empty, the name of the operation.',
    displayOptions: {
      show: { ...asTool, operation: ['get', 'list', 'listTemplates', 'read'], descriptionType: ['own'] },
    },
  },
  {
    displayName: 'Description',
    name: 'toolDescription',
    type: 'string',
    typeOptions: { rows: 2 },
    default: '',
    description: 'What a model is told the tool does',
    displayOptions: { show: { ...asTool, descriptionType: ['manual'] } },
  },
];

export const toolProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['tool'] } },
    options: [
      { name: 'Call', value: 'call', action: 'Call a tool', description: 'Call a tool with arguments' },
      { name: 'List', value: 'list', action: 'List tools', description: 'List the tools as the server describes them' },
    ],
    default: 'list',
  },
  {
    displayName: 'Output',
    name: 'output',
    type: 'options',
    displayOptions: list,
    options: [
      { name: 'One Item per Tool', value: 'each', description: 'Each tool exactly as the server sent it' },
      {
        name: 'One Item per Tool, Compact',
        value: 'compact',
        description: 'Name, title, description and a one-line signature',
      },
      {
        name: 'One Item with Everything',
        value: 'single',
        description: 'The server, all its tools, those set aside and why, and notes',
      },
    ],
    default: 'each',
  },
  {
    displayName: 'Tool',
    name: 'tool',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    displayOptions: call,
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: 'searchTools', searchable: true, skipCredentialsCheckInRLC: true },
      },
      { displayName: 'Name', name: 'name', type: 'string', placeholder: 'echo' },
    ],
  },
  {
    displayName: 'Arguments',
    name: 'argumentsMode',
    type: 'options',
    displayOptions: call,
    options: [
      { name: 'As a Form', value: 'form', description: "One field per argument, derived from the tool's schema" },
      { name: 'As JSON', value: 'json', description: 'The arguments as one JSON object' },
    ],
    default: 'form',
  },
  ...toolDescription,
  // The name in the list is what n8n asks for again when another credential is chosen.
  notice('about', 'getToolNotice', ['tool.value', 'tool.cachedResultName', 'argumentsMode', 'transport'], 'the tool', {
    displayOptions: { ...call, hide: { tool: [''] } },
  }),
  {
    displayName: 'Form',
    name: 'form',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    typeOptions: {
      loadOptionsDependsOn: ['tool.value'],
      resourceMapper: {
        resourceMapperMethod: 'getToolFields',
        mode: 'add',
        fieldWords: { singular: 'argument', plural: 'arguments' },
        valuesLabel: 'Values',
        addAllFields: true,
        supportAutoMap: false,
      },
    },
    displayOptions: { show: { ...call.show, argumentsMode: ['form'] }, hide: { tool: [''] } },
  },
  {
    // A form of one field: of all that the editor has for JSON, nothing else begins with what a node gives it.
    displayName: 'Arguments (JSON)',
    name: 'jsonArguments',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    typeOptions: {
      loadOptionsDependsOn: ['tool.value'],
      resourceMapper: {
        resourceMapperMethod: 'getJsonField',
        mode: 'add',
        fieldWords: { singular: 'argument', plural: 'arguments' },
        valuesLabel: 'Values',
        addAllFields: true,
        supportAutoMap: false,
      },
    },
    displayOptions: {
      show: { ...call.show, argumentsMode: ['json'], '@version': sinceGroups },
      hide: { tool: [''] },
    },
    description: asJson,
  },
  {
    displayName: 'Arguments (JSON)',
    name: 'arguments',
    type: 'json',
    default: '{}',
    displayOptions: { show: { ...call.show, argumentsMode: ['json'], '@version': beforeGroups } },
    description: asJson,
  },
];
