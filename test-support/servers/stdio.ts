import { fileURLToPath } from 'node:url';
import type { StdioAddress } from '../../src/mcp/index.js';

/** The address of the hand-written stdio server with this behaviour (see stdio.mjs). */
export function stdioServer(behaviour = 'plain', argument?: string | number): StdioAddress {
  const script = fileURLToPath(new URL('./stdio.mjs', import.meta.url));
  return {
    transport: 'stdio',
    command: process.execPath,
    args: [script, behaviour, ...(argument === undefined ? [] : [String(argument)])],
  };
}
