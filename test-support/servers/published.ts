import { createRequire } from 'node:module';
import { programPath, startProgram, type Program } from './program.js';

/** The path of the reference server that has everything. */
export const published = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);

/**
 * Starts it on a port of loopback.
 *
 * @param kind `streamableHttp`, whose endpoint is `/mcp` under its URL, or `sse`, whose endpoint is `/sse`
 */
export function startPublished(kind: string): Promise<Program> {
  const env = { PORT: '0', NODE_OPTIONS: `--import ${programPath('loopback.mjs')}` };
  return startProgram(published, [kind], env, /http:\/\/127\S+/);
}
