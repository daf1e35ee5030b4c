// npm run test:file -- src/repair/mend.ts [...]: runs the tests of these files alone. `test/x/y.test.ts` tests
// `src/x/y.ts`; if it does not exist, the tests of its folder run.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, relative } from 'node:path';

const files = process.argv.slice(2).map((file) => relative('.', file));
if (files.length === 0) throw new Error('Which files? npm run test:file -- src/repair/mend.ts');

const tests = [...new Set(files.map(testOf))];
console.log(tests.join('\n'));
process.exitCode = spawnSync('npx', ['vitest', 'run', ...tests], { stdio: 'inherit' }).status ?? 1;

function testOf(file) {
  if (file.endsWith('.test.ts')) return file;
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const mirrored = `test/${file.replace(/^src\//, '')}`;
  const own = mirrored.replace(/\.ts$/, '.test.ts');
  if (existsSync(own)) return own;
  for (let folder = dirname(mirrored); folder !== 'test'; folder = dirname(folder))
    if (existsSync(folder)) return `${folder}/`;
  throw new Error(`No test is named after ${file}, and none after its folders.`);
}
