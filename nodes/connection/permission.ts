import { SetupError } from '../errors.js';
import { hostUsers } from '../host/services.js';

/**
 * Whoever runs the machine decides, by `MCP_VERBATIM_STDIO=on` or `off` in its environment. Without that, an n8n with one
 * user allows processes, because that user runs the machine.
 *
 * @throws SetupError
 */
export async function refuseStdio(usersOf = hostUsers): Promise<void> {
  const value = process.env.MCP_VERBATIM_STDIO?.trim().toLowerCase() ?? '';
  if (['on', 'true', '1', 'yes'].includes(value)) return;
  if (['off', 'false', '0', 'no'].includes(value))
    throw new SetupError(
      'Starting servers with a command is switched off on this n8n',
      'MCP_VERBATIM_STDIO=off is set in its environment. Use a server reached over HTTP, or ask the administrator of this n8n.',
    );
  const users = await usersOf();
  if (users === 1) return;
  const [what, why] =
    users === undefined
      ? [
          'must first be allowed on this n8n',
          'It does not say how many users it has; if there are several, each could start programs on its machine.',
        ]
      : [
          'is not allowed on an n8n with several users',
          'Everyone who can edit workflows could start programs on its machine.',
        ];
  throw new SetupError(
    `Starting servers with a command ${what}`,
    `${why} The administrator of this n8n can allow it with MCP_VERBATIM_STDIO=on in its environment, and in that of its workers. ` +
      'A server reached over HTTP needs no permission.',
  );
}
