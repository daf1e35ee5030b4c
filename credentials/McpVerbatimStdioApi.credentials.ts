import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

/** An MCP server started as a process on the machine that runs n8n. No shell: every argument is passed as it stands. */
export class McpVerbatimStdioApi implements ICredentialType {
  name = 'mcpVerbatimStdioApi';

  displayName = 'MCP Verbatim Stdio API';

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-mcp-verbatim#credentials';

  icon: Icon = {
    light: 'file:../nodes/McpVerbatim/mcpVerbatim.svg',
    dark: 'file:../nodes/McpVerbatim/mcpVerbatim.dark.svg',
  };

  properties: INodeProperties[] = [
    {
      displayName:
        'The command runs on the machine of n8n, with its rights. Where n8n has several users, whoever runs it has to allow that with MCP_VERBATIM_STDIO=on in its environment.',
      name: 'notice',
      type: 'notice',
      default: '',
    },
    {
      displayName: 'Command',
      name: 'command',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'npx',
      description: 'The program that is the server, without its arguments',
    },
    {
      displayName: 'Arguments',
      name: 'args',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true, sortable: true },
      placeholder: 'Add Argument',
      default: {},
      description: 'One entry per argument. No quoting is needed, spaces belong to the argument.',
      options: [
        {
          displayName: 'Argument',
          name: 'values',
          values: [
            {
              displayName: 'Value',
              name: 'value',
              type: 'string',
              default: '',
              placeholder: '@modelcontextprotocol/server-everything',
            },
          ],
        },
      ],
    },
    {
      displayName: 'Environment',
      name: 'environment',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true },
      placeholder: 'Add Variable',
      default: {},
      description: 'Variables for the server. Of those of n8n it only gets PATH, HOME and the like.',
      options: [
        {
          displayName: 'Variable',
          name: 'values',
          values: [
            { displayName: 'Name', name: 'name', type: 'string', default: '', placeholder: 'API_KEY' },
            {
              displayName: 'Value',
              name: 'value',
              type: 'string',
              typeOptions: { password: true },
              default: '',
            },
          ],
        },
      ],
    },
    {
      displayName: 'Working Directory',
      name: 'workingDirectory',
      type: 'string',
      default: '',
      description: 'Where the server is started. Empty: where n8n runs.',
    },
  ];
}
