import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';
import { hearOfShutdown } from '../connection/shutdown.js';
import type { EditorMethods } from '../editor/gate.js';
import { later } from '../later.js';
import { properties } from './description.js';

hearOfShutdown();

export class McpVerbatim implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'MCP Verbatim',
    name: 'mcpVerbatim',
    icon: { light: 'file:mcpVerbatim.svg', dark: 'file:mcpVerbatim.dark.svg' },
    group: ['transform'],
    version: 1,
    // On the canvas, a resource locator is replaced by its value.
    subtitle:
      '={{ ($parameter.operation === "listTemplates" ? "list templates" : $parameter.operation) + ": " + ({ call: $parameter.tool?.value ?? $parameter.tool, get: $parameter.prompt?.value ?? $parameter.prompt, read: $parameter.uri?.value ?? $parameter.uri }[$parameter.operation] || $parameter.resource) }}',
    description: 'Use the tools, resources and prompts of an MCP server, exactly as the server describes them',
    defaults: { name: 'MCP Verbatim' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: { replacements: { displayName: 'MCP Verbatim Single' } },
    // Written out for both nodes: n8n's linter looks for the tests of credentials only here.
    credentials: [
      {
        name: 'mcpVerbatimHttpApi',
        required: true,
        testedBy: 'mcpVerbatimHttpTest',
        displayOptions: { show: { server: ['http'] } },
      },
      {
        name: 'mcpVerbatimOAuth2Api',
        required: true,
        displayOptions: { show: { server: ['oAuth2'] } },
      },
      {
        name: 'mcpVerbatimStdioApi',
        required: true,
        testedBy: 'mcpVerbatimStdioTest',
        displayOptions: { show: { server: ['stdio'] } },
      },
    ],
    properties,
  };

  methods = {
    credentialTest: {
      mcpVerbatimHttpTest: later('testHttpCredential'),
      mcpVerbatimStdioTest: later('testStdioCredential'),
    },
    listSearch: {
      searchTools: later('searchTools'),
      searchPrompts: later('searchPrompts'),
      searchResources: later('searchResources'),
    },
    resourceMapping: {
      getToolFields: later('toolFields'),
      getJsonField: later('jsonField'),
      getToolDescription: later('toolDescription'),
      getToolHelp: later('toolHelp'),
      getToolNotice: later('toolNotice'),
    },
  } satisfies EditorMethods & { credentialTest: object };

  execute = later('executeOperations');
}
