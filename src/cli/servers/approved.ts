import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { approvedOf, compareApproved, readApprovedFile, serverIdentity } from '../../internal.js';
import type { ApprovalDifference, ApprovedFile, ApprovedTools, Catalogue } from '../../internal.js';
import { UsageError } from '../command.js';
import { readText, withFile } from '../files.js';
import type { NamedServer } from './choose.js';

export function readApprovedAt(path: string): ApprovedFile {
  if (!existsSync(path)) throw new UsageError(`There is no ${path}. Run mcp-verbatim approve first.`);
  const text = readText(path, 64); // far beyond any server's tools
  return withFile(path, 'read', () => readApprovedFile(text));
}

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

export function approvedName({ name, address }: NamedServer): string {
  return name ?? serverIdentity(address);
}

export function differencesFrom(
  approved: ApprovedTools | undefined,
  catalogue: Catalogue,
  { address }: NamedServer,
): readonly ApprovalDifference[] {
  return approved ? compareApproved(approved, catalogue, address) : [];
}

export function differenceLines({ message, changes }: ApprovalDifference): string[] {
  return [message, ...changes.map((change) => `  ${change}`)];
}
