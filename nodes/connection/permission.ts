import { hostUsers } from '../host/database.js';

export interface Refusal {
  message: string;
  description: string;
}

/**
 * Why users of this n8n may not have processes started; undefined where they may. The one who runs the machine decides,
 * through its environment: `MCP_VERBATIM_STDIO=on` or `off`. Without that, an n8n with one user allows it, because that
 * user runs the machine; where there are several, whoever can edit workflows could start programs on it.
 */
export async function stdioRefusal(environment: NodeJS.ProcessEnv = process.env): Promise<Refusal | undefined> {
  const value = environment.MCP_VERBATIM_STDIO?.trim().toLowerCase() ?? '';
  if (['on', 'true', '1', 'yes'].includes(value)) return undefined;
  if (['off', 'false', '0', 'no'].includes(value)) return switchedOff;
  const users = await hostUsers();
  if (users === undefined) return unknownUsers;
  return users > 1 ? severalUsers : undefined;
}

const switchedOff: Refusal = {
  message: 'Starting servers with a command is switched off on this n8n',
  description:
    'MCP_VERBATIM_STDIO=off is set in its environment. Use a server reached over HTTP, or ask the administrator of this n8n.',
};

const wayOut =
  'The administrator of this n8n can allow it with MCP_VERBATIM_STDIO=on in its environment, and in that of its workers. ' +
  'A server reached over HTTP needs no permission.';

const severalUsers: Refusal = {
  message: 'Starting servers with a command is not allowed on an n8n with several users',
  description: `Everyone who can edit workflows could start programs on its machine. ${wayOut}`,
};

const unknownUsers: Refusal = {
  message: 'Starting servers with a command must first be allowed on this n8n',
  description: `It does not say how many users it has; if there are several, each could start programs on its machine. ${wayOut}`,
};
