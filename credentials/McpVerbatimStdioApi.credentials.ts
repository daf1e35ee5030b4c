import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { icon, nameValueRows, rowsOf, textField } from './fields.js';

const program = 'The program that the MCP Verbatim nodes run, without its arguments';
const folder = "The folder in which to start the server. If empty, n8n's own.";

/** The command runs without a shell: arguments are passed as they are. */
export class McpVerbatimStdioApi implements ICredentialType {
  name = 'mcpVerbatimStdioApi';

  displayName = 'Model Context Protocol (Local Command)';

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-mcp-verbatim#n8n';

  icon = icon;

  properties: INodeProperties[] = [
    {
      displayName:
        "The command runs on n8n's machine, with n8n's permissions. If n8n has several users, its administrator has to allow this with MCP_VERBATIM_STDIO=on in n8n's environment.",
      name: 'notice',
      type: 'notice',
      default: '',
    },
    { ...textField('Command', 'command', 'npx', program), required: true },
    {
      ...rowsOf(
        'Argument',
        {
          displayName: 'Arguments',
          name: 'args',
          description: 'One entry per argument. Do not add quotes; spaces are part of the argument.',
        },
        [{ displayName: 'Value', name: 'value', type: 'string', default: '', placeholder: '-y' }],
      ),
      typeOptions: { multipleValues: true, sortable: true },
    },
    nameValueRows(
      'Variable',
      {
        displayName: 'Environment',
        name: 'environment',
        description: 'Variables for the server. From n8n it inherits only basics such as PATH and HOME.',
      },
      { example: 'API_KEY' },
    ),
    textField('Working Directory', 'workingDirectory', '', folder),
  ];
}
