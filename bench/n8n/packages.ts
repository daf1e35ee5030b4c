import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installCommunityPackage, packPackage } from '../../test-support/n8n/community-package.js';
import type { Host } from '../../test-support/n8n/install.js';
import { startN8n } from '../../test-support/n8n/start.js';
import { createUserFolder } from '../../test-support/n8n/user-folder.js';
import { median } from './median.js';
import { removedAtExit } from './stage.js';

const run = promisify(execFile);

export const ownPackage = 'n8n-nodes-mcp-verbatim';
export const peerPackage = 'n8n-nodes-mcp';
const peerVersion = '0.1.37';

/** n8n's user folders: one with nothing installed, and one with each of the packages. */
export interface UserFolders {
  none: string;
  own: string;
  peer: string;
}

export async function prepareUserFolders(host: Host, scratch: string): Promise<UserFolders> {
  const { stdout } = await run('npm', [
    'pack',
    `${peerPackage}@${peerVersion}`,
    '--json',
    '--pack-destination',
    scratch,
  ]);
  const [peer] = JSON.parse(stdout) as { filename: string }[];
  const fresh = async () => removedAtExit(await createUserFolder(host));
  const folders = { none: await fresh(), own: await fresh(), peer: await fresh() };
  await installCommunityPackage(folders.own, await packPackage(scratch));
  await installCommunityPackage(folders.peer, join(scratch, peer!.filename));
  return folders;
}

export interface PackageCost {
  version: string;
  /** Milliseconds to require each node file, by its name: medians, each in a process of its own. */
  requires: Map<string, number>;
  size: Size;
}

/** Both packages, their node files by turns. */
export async function packageCosts(
  host: Host,
  { own, peer }: UserFolders,
  rounds: number,
): Promise<{ own: PackageCost; peer: PackageCost }> {
  const installed = {
    own: join(own, '.n8n', 'nodes', 'node_modules', ownPackage),
    peer: join(peer, '.n8n', 'nodes', 'node_modules', peerPackage),
  };
  const files = Object.values(installed).flatMap((folder) =>
    manifestOf(folder).n8n.nodes.map((file) => join(folder, file)),
  );
  const times = new Map<string, number[]>(files.map((file) => [file, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const file of files) {
      const took = await requireTime(host, file);
      if (round > 0) times.get(file)!.push(took); // the first reads from the disk
    }
  }
  const cost = (folder: string): PackageCost => ({
    version: manifestOf(folder).version,
    requires: new Map(
      files.filter((file) => file.startsWith(`${folder}/`)).map((file) => [basename(file), median(times.get(file)!)]),
    ),
    size: sizeOf(folder),
  });
  return { own: cost(installed.own), peer: cost(installed.peer) };
}

function manifestOf(folder: string): { version: string; n8n: { nodes: string[] } } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    n8n: { nodes: string[] };
  }; // what n8n asks of a community package
}

/** Milliseconds until n8n answers, medians. */
export interface StartTimes extends Record<keyof UserFolders, number> {
  /** Medians of each round's own differences to an n8n with nothing installed. */
  added: { own: number; peer: number };
}

/** Starts n8n with each of the folders, by turns. */
export async function startTimes(host: Host, folders: UserFolders, rounds: number): Promise<StartTimes> {
  const names = Object.keys(folders) as (keyof UserFolders)[]; // its own keys, which Object.keys types as strings
  const times: Record<keyof UserFolders, number[]> = { none: [], own: [], peer: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const turn = round % names.length;
    for (const name of [...names.slice(turn), ...names.slice(0, turn)]) {
      const began = performance.now();
      const n8n = await startN8n(host, { userFolder: folders[name] });
      const took = performance.now() - began;
      await n8n.stop();
      if (round > 0) times[name].push(took); // the first start finds nothing cached
    }
  }
  const added = (name: 'own' | 'peer') => median(times[name].map((took, round) => took - times.none[round]!));
  return {
    none: median(times.none),
    own: median(times.own),
    peer: median(times.peer),
    added: { own: added('own'), peer: added('peer') },
  };
}

/** As n8n loads it: n8n's own packages are found through NODE_PATH, and n8n-workflow is there already. */
async function requireTime(host: Host, file: string): Promise<number> {
  const code = `require('n8n-workflow'); const began = performance.now(); require(${JSON.stringify(file)}); console.log(performance.now() - began)`;
  const packages = dirname(dirname(dirname(host.n8n)));
  // From there, so that the n8n-workflow that is loaded beforehand is the one that the node file finds.
  const { stdout } = await run(host.node, ['-e', code], {
    cwd: packages,
    env: { ...process.env, NODE_PATH: packages },
  });
  return Number(stdout.trim().split('\n').at(-1));
}

export interface Size {
  /** On disk, in megabytes of 10^6 bytes, with all that it brings. */
  megabytes: number;
  files: number;
  /** Packages inside it. */
  packages: number;
}

function sizeOf(folder: string): Size {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) => ({
        megabytes: sum.megabytes + lstatSync(join(parentPath, name)).size / 1e6,
        files: sum.files + 1,
        packages:
          sum.packages +
          (name === 'package.json' && /node_modules\/(@[^/]+\/)?[^/]+$/.test(parentPath.slice(folder.length)) ? 1 : 0),
      }),
      { megabytes: 0, files: 0, packages: 0 },
    );
}
