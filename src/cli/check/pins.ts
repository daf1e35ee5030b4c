import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { pinFileText, pinsOf, readPinFile, serverIdentity } from '../../internal.js';
import type { PinDifference, PinFile, Pins } from '../../internal.js';
import { UsageError } from '../exit.js';
import { fileError } from '../files.js';
import type { NamedServer } from '../servers/choose.js';

/** Far beyond any server's tools. */
const largestFile = 64 * 1024 * 1024;

/** @throws UsageError where it is not there, or no file of pins */
export function readPinsAt(path: string): PinFile {
  try {
    if (statSync(path).size > largestFile) throw new TypeError('It is larger than 64 MB.');
    return readPinFile(readFileSync(path, 'utf8'));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'; // undefined for any other error
    if (isMissing) throw new UsageError(`There is no ${path}. Run mcp-verbatim pin first.`);
    throw fileError(path, 'read', error);
  }
}

/** @throws UsageError where it cannot be written */
export function writePinsAt(path: string, servers: PinFile['servers']): void {
  try {
    writeFileSync(path, pinFileText(servers));
  } catch (error) {
    throw fileError(path, 'written', error);
  }
}

/** What a server is called in the file. */
export function pinnedName({ name, address }: NamedServer): string {
  return name ?? serverIdentity(address);
}

/** @throws UsageError where nothing of the server is pinned */
export function pinsFor(file: PinFile, path: string, server: NamedServer): Pins {
  const pins = pinsOf(file, server.name, server.address);
  if (!pins) throw new UsageError(`Nothing of ${pinnedName(server)} is pinned in ${path}.`);
  return pins;
}

/** A difference on its lines. */
export function differenceLines({ message, changes }: PinDifference): string[] {
  return [message, ...changes.map((change) => `  ${change}`)];
}
