// The folders of recorded tool lists: one JSON file per server, { package, version, protocolVersion, toolCount,
// toolsListLines }, with the lines byte for byte.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm run record` writes to data/corpus; recordings beside the checkout come first. */
export const recordedHere = fileURLToPath(new URL('../../../data/corpus/', import.meta.url));
const besideCheckout = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url));

/** @returns {Map<string, string[]>} the lines, by `package@version` */
export function readRecordings() {
  const folder = [besideCheckout, recordedHere].find((path) => existsSync(path));
  const files = folder === undefined ? [] : readdirSync(folder).filter((file) => file.endsWith('.json'));
  return new Map(
    files
      .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
      .map((server) => [`${server.package}@${server.version}`, server.toolsListLines]),
  );
}
