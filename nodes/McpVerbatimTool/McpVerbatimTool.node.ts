import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';
import { hearOfShutdown } from '../connection/shutdown.js';
import type { EditorMethods } from '../editor/gate.js';
import { later } from '../later.js';
import { McpVerbatim } from '../McpVerbatim/McpVerbatim.node.js';
import { properties } from './description.js';

hearOfShutdown();

const { description, methods } = new McpVerbatim();

export class McpVerbatimTool implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'MCP Verbatim Tool',
    // n8n calls the tool that it derives from `mcpVerbatim` `mcpVerbatimTool`. With "tool" anywhere in the name, the editor
    // asks for parameters that a model could fill in.
    name: 'mcpVerbatimAi',
    icon: {
      light: 'file:../McpVerbatim/mcpVerbatim.svg',
      dark: 'file:../McpVerbatim/mcpVerbatim.dark.svg',
    },
    group: ['output'],
    version: 1,
    subtitle:
      '={{ { all: "all tools", selected: "selected tools", except: "all tools except some", readOnly: "read-only tools", allExceptReadOnly: "all tools except read-only" }[$parameter.include] + (["on", "auto"].includes($parameter.options?.toolSearch?.values?.mode) ? ", with Tool Search" : "") }}',
    description: 'Give an AI Agent the tools of an MCP server, with their schemas exactly as the server wrote them',
    defaults: { name: 'MCP Verbatim Tool' },
    inputs: [],
    outputs: [NodeConnectionTypes.AiTool],
    outputNames: ['Tools'],
    credentials: description.credentials ?? [],
    properties,
  };

  methods = {
    credentialTest: methods.credentialTest,
    loadOptions: {
      getTools: later('listTools'),
      getIncludes: later('includeChoices'),
      getApprovals: later('approvalChoices'),
    },
    resourceMapping: { getToolsNotice: later('toolsNotice') },
  } satisfies EditorMethods & { credentialTest: object };

  supplyData = later('supplyTools');

  execute = later('executeCalls');
}
