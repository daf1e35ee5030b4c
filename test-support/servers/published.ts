import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { programPath, startProgram, type Program } from './program.js';

/** A published reference server, such as `server-everything`, over stdio. */
export function published(name: string, ...args: string[]) {
  const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`);
  return {
    transport: 'stdio' as const,
    command: process.execPath,
    args: [join(dirname(manifest), 'dist', 'index.js'), ...args],
  };
}

/**
 * Starts the reference server `everything` over streamable HTTP on a port of loopback.
 *
 * @param installed the path of another installation
 */
export async function startEverything(
  installed: { args: string[] } = published('server-everything'),
): Promise<Program> {
  const env = { PORT: '0', NODE_OPTIONS: `--import ${programPath('loopback.mjs')}` };
  const [script = ''] = installed.args;
  const program = await startProgram(script, ['streamableHttp'], env, /http:\/\/127\S+/);
  return { ...program, url: `${program.url}/mcp` };
}
