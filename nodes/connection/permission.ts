/**
 * Whether users of this n8n may have processes started. The one who runs the machine decides, through its
 * environment: `MCP_VERBATIM_STDIO=off` (or `false`, `0`, `no`) forbids it.
 */
export function stdioAllowed(environment: NodeJS.ProcessEnv = process.env): boolean {
  const value = environment.MCP_VERBATIM_STDIO?.trim().toLowerCase();
  return value === undefined || !['off', 'false', '0', 'no'].includes(value);
}

export const stdioRefusal = {
  message: 'Starting servers by a command is switched off on this n8n',
  description:
    'The environment of n8n has MCP_VERBATIM_STDIO=off. Use a server that is reached over HTTP, or ask whoever runs this n8n.',
};
