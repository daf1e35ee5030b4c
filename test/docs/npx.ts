import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.js';

/** The built command. */
export const command = join(root, 'packages/mcp-verbatim/dist/esm/cli.js');

/** Puts an `npx` into a folder that starts this project's packages; test/cli/packed.test.ts runs npm's own. */
export function writeNpx(folder: string): void {
  const shim = `#!/bin/sh
[ "$1" = -y ] && shift
[ "$1" = mcp-verbatim ] && { shift; exec "${process.execPath}" "${command}" "$@"; }
name=$(basename "$1"); shift
exec "${root}/node_modules/.bin/mcp-$name" "$@"
`;
  writeFileSync(join(folder, 'npx'), shim, { mode: 0o755 });
}
