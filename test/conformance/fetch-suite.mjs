// npm run fetch:suite [-- repository]: puts the official JSON Schema test suite into data/json-schema-test-suite, from
// its public repository or a copy. The commit's hash is the checksum: Git accepts no other content under it.
import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const commit = '44401e0c046704b476ec9d2e2fccdaee618f259d'; // August 2026
const repository = process.argv[2] ?? 'https://github.com/json-schema-org/JSON-Schema-Test-Suite.git';
const suite = join(import.meta.dirname, '..', '..', 'data', 'json-schema-test-suite');
const unfinished = `${suite}.unfinished`;

if (existsSync(suite)) {
  console.log(`${suite} is there already.`);
} else {
  rmSync(unfinished, { recursive: true, force: true });
  try {
    git('init', '--quiet', unfinished);
    git('-C', unfinished, 'fetch', '--quiet', '--depth=1', repository, commit);
    git('-C', unfinished, 'checkout', '--quiet', commit, '--', 'tests', 'remotes', 'LICENSE');
    rmSync(join(unfinished, '.git'), { recursive: true });
    renameSync(unfinished, suite);
    console.log(`${suite}: the suite at ${commit}`);
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
    console.error(`Could not fetch commit ${commit} from ${repository}.
This needs Git and the network. Offline, name a copy of the repository: npm run fetch:suite -- /path/to/copy`);
    process.exitCode = 1;
  }
}

function git(...args) {
  execFileSync('git', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
