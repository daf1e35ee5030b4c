// npm run fetch:maskbench, npm run fetch:trajectories [-- repository]: puts public data into data/, which Git ignores, from
// its repository or any copy of it, at the commit that the figures are of.
import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const sources = {
  jsonschemabench: {
    repository: 'https://github.com/guidance-ai/jsonschemabench.git',
    commit: 'ba103c73756198dd9b149ddc7db7867da7a077f6', // February 2026
    paths: ['maskbench/data'],
  },
  livemcpbench: {
    repository: 'https://github.com/icip-cas/LiveMCPBench.git',
    commit: 'a928e57d1ee7a25579b9a7036030faffff72d15b', // August 2025
    paths: ['baseline/output', 'tools/LiveMCPTool'],
  },
};

const [, , name, copy] = process.argv;
const { repository, commit, paths } = sources[name];
const folder = join(import.meta.dirname, '..', 'data', name);
const unfinished = `${folder}.unfinished`;

if (existsSync(folder)) {
  console.log(`${folder} is there already.`);
} else {
  rmSync(unfinished, { recursive: true, force: true });
  try {
    git('init', '--quiet', unfinished);
    git('-C', unfinished, 'fetch', '--quiet', '--depth=1', copy ?? repository, commit);
    git('-C', unfinished, 'checkout', '--quiet', commit, '--', ...paths);
    rmSync(join(unfinished, '.git'), { recursive: true });
    renameSync(unfinished, folder);
    console.log(`${folder}: ${paths.join(', ')} of ${commit}`);
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
    console.error(`Could not fetch commit ${commit} of ${copy ?? repository}. This needs Git and the network.`);
    process.exitCode = 1;
  }
}

function git(...args) {
  execFileSync('git', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
