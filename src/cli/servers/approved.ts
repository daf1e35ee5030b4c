import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { approvedOf, compareApproved, readApprovedFile, serverIdentity } from '../../internal.js';
import type { ApprovalDifference, ApprovedFile, ApprovedTools, Catalogue } from '../../internal.js';
import { UsageError } from '../exit.js';
import { fileError, readText } from '../files.js';
import type { NamedServer } from './choose.js';

/** @throws UsageError if there is none, or it is not a file of approved tools */
export function readApprovedAt(path: string): ApprovedFile {
  if (!existsSync(path)) throw new UsageError(`There is no ${path}. Run mcp-verbatim approve first.`);
  const text = readText(path, 64); // far beyond any server's tools
  try {
    return readApprovedFile(text);
  } catch (error) {
    throw fileError(path, 'read', error);
  }
}

/** What a file has for each server; undefined if no file is named. */
export function approvedIn(file: string | undefined, cwd: string): (server: NamedServer) => ApprovedTools | undefined {
  if (file === undefined) return () => undefined;
  const path = resolve(cwd, file);
  const content = readApprovedAt(path);
  return (server) => {
    const approved = approvedOf(content, server.name, server.address);
    if (!approved) throw new UsageError(`${path} does not have the server ${approvedName(server)}.`);
    return approved;
  };
}

/** The server's name in the file. */
export function approvedName({ name, address }: NamedServer): string {
  return name ?? serverIdentity(address);
}

/** What differs from the approved tools; nothing if there are none. */
export function differencesFrom(
  approved: ApprovedTools | undefined,
  catalogue: Catalogue,
  { address }: NamedServer,
): readonly ApprovalDifference[] {
  return approved ? compareApproved(approved, catalogue, address) : [];
}

/** A difference on its lines. */
export function differenceLines({ message, changes }: ApprovalDifference): string[] {
  return [message, ...changes.map((change) => `  ${change}`)];
}
