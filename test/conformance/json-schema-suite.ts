import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Dialect } from '../../src/schema/keywords/keyword.js';

export interface SuiteGroup {
  readonly file: string;
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

/**
 * For each dialect: the suite's folder, the number of required tests in its snapshot, and the number of those that need
 * its remotes.
 */
export const suiteDialects: readonly { dialect: Dialect; folder: string; required: number; needRemotes: number }[] = [
  { dialect: 'draft-04', folder: 'draft4', required: 618, needRemotes: 17 },
  { dialect: 'draft-06', folder: 'draft6', required: 839, needRemotes: 23 },
  { dialect: 'draft-07', folder: 'draft7', required: 927, needRemotes: 23 },
  { dialect: '2019-09', folder: 'draft2019-09', required: 1259, needRemotes: 32 },
  { dialect: '2020-12', folder: 'draft2020-12', required: 1299, needRemotes: 45 },
];

export function suiteGroups(suite: string, folder: string): SuiteGroup[] {
  const path = join(suite, 'tests', folder);
  const files = readdirSync(path).filter((file) => file.endsWith('.json'));
  if (files.length === 0) throw new Error(`No test of the suite is in ${path}.`);
  return files.sort().flatMap((file) => {
    const groups = JSON.parse(readFileSync(join(path, file), 'utf8')) as Omit<SuiteGroup, 'file'>[];
    return groups.map((group) => ({ ...group, file }));
  });
}

export function suiteRemotes(suite: string): Record<string, unknown> {
  const folder = join(suite, 'remotes');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    files.map((file) => [
      `http://localhost:1234/${relative(folder, join(folder, file)).replaceAll('\\', '/')}`,
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown,
    ]),
  );
}
