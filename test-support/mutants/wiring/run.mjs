import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promises } from './table.mjs';

/** Each worker has a copy of the checkout, so this many cores are busy. */
const workers = Number(process.env.VITEST_MAX_WORKERS ?? 2);

/** A test that waits for something that an edit removed ends after this many milliseconds. */
const limits = ['--testTimeout=15000', '--hookTimeout=30000'];

/**
 * Breaks each promise by its edit, in a copy of the checkout, and runs the test that has to notice.
 *
 * @param words only rows that contain all of these; `20-39` are rows by their places in the table
 * @returns whether each test was green before its edit and red after it
 */
export async function runWiring(words) {
  const rows = promises.filter((row, index) => words.every((word) => isIn(word, row, index)));
  if (rows.length === 0) throw new Error(`No row holds ${words.join(', ')}.`);
  const copies = Array.from({ length: Math.min(workers, rows.length) }, (_, index) => copyOfCheckout(index));
  if (rows.some(needsBuild) && !(await build(copies[0]))) throw new Error('The checkout cannot be built.');
  const before = await testsOf(copies[0], rows);
  const waiting = [...rows];
  let noticed = 0;
  const work = async (copy) => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const began = Date.now();
      const verdict = isGreen(before, row) ? await brokenIn(copy, row) : 'the test is not green before the edit';
      if (verdict === 'noticed') noticed++;
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(
        `${verdict.padEnd(8)} ${String(seconds).padStart(4)} s  ${String(promises.indexOf(row)).padStart(3)} ${row.page.padEnd(17)} ${row.promise}`,
      );
    }
  };
  await Promise.all(copies.map(work));
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  console.log(`\n${noticed} of ${rows.length} broken promises were noticed.`);
  return noticed === rows.length;
}

function isIn(word, row, index) {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(word) ?? [];
  if (first !== undefined) return Number(first) <= index && index <= Number(last);
  return Object.values(row).flat().join('\n').includes(word);
}

/**
 * Copies everything that git knows or would add, without built or installed files.
 *
 * @returns its folder
 */
function copyOfCheckout(index) {
  const copy = resolve(`.mutants/wiring-${process.pid}-${index}`);
  rmSync(copy, { recursive: true, force: true });
  const options = { encoding: 'utf8', maxBuffer: 2 ** 26 };
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options);
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(name)))
    cpSync(file, join(copy, file));
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  return copy;
}

async function brokenIn(copy, row) {
  const path = join(copy, row.file);
  const text = readFileSync(path, 'utf8');
  const count = text.split(row.from).length - 1;
  if (count !== 1) return `the text of the edit stands ${count} times in ${row.file}`;
  writeFileSync(
    path,
    text.replace(row.from, () => row.to),
  );
  try {
    if (needsBuild(row) && !(await build(copy))) return 'the edit cannot be built';
    const found = (await testsOf(copy, [row])).filter((test) => isOf(row, test));
    if (found.some(({ status }) => status === 'failed')) return 'noticed';
    return found.some(({ status }) => status === 'passed') ? 'MISSED' : 'the test does not run';
  } finally {
    writeFileSync(path, text);
  }
}

/** The outcomes of these rows' tests, which run together. */
async function testsOf(copy, rows) {
  const files = [...new Set(rows.map(({ test: [file] }) => file))];
  const titles = [...new Set(rows.map(({ test: [, title] }) => title.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')))];
  const results = join(copy, 'results.json');
  rmSync(results, { force: true });
  const args = [
    'run',
    ...files,
    `--testNamePattern=${titles.join('|')}`,
    '--reporter=json',
    `--outputFile=${results}`,
    ...limits,
  ];
  const { output } = await run(copy, 'node_modules/vitest/vitest.mjs', args);
  if (!existsSync(results)) throw new Error(`Vitest did not run: ${output}`);
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ file: name, fullName, status })),
  );
}

function isGreen(tests, row) {
  const found = tests.filter((test) => isOf(row, test)).map(({ status }) => status);
  return found.includes('passed') && !found.includes('failed');
}

function isOf({ test: [file, title] }, found) {
  return found.file.endsWith(file) && found.fullName.includes(title);
}

async function build(copy) {
  return (await run(copy, 'build.mjs', ['--no-types'])).code === 0;
}

function run(cwd, script, args) {
  const child = spawn('node', [script, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((done) => child.on('close', (code) => done({ code, output })));
}

/** True if a test, or one of its imports among the tests, loads built code. */
function needsBuild({ test: [file] }) {
  const seen = new Set();
  const loads = (path) => {
    if (seen.has(path) || !existsSync(path)) return false;
    seen.add(path);
    const text = readFileSync(path, 'utf8');
    if (/\bdist\b/.test(text)) return true;
    const imported = [...text.matchAll(/from '(\.[^']+)\.js'/g)].map(([, name]) => join(dirname(path), `${name}.ts`));
    return imported.some((each) => each.startsWith('test') && loads(each));
  };
  return loads(file);
}
