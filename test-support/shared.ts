import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cannotRun } from './cannot-run.js';

const sources = {
  'json-schema-test-suite': 'npm run fetch:suite',
  corpus: 'npm run record',
  slips: 'recorded calls, published nowhere',
};

/**
 * A folder of data that is committed nowhere: the official JSON Schema suite, real answers to `tools/list`, recorded slips.
 * It lies beside the checkout, in `../shared`, or where the project's own commands put it, in `data`.
 *
 * @returns its path, or undefined where it is absent, so that a test can skip visibly
 * @throws in CI, where `../shared` is there without it: a check that does not run must not look like one that passed
 */
export function sharedFolder(name: keyof typeof sources): string | undefined {
  const places = [`../../shared/${name}`, `../data/${name}`].map(fromHere);
  const path = places.find((place) => existsSync(place));
  if (path === undefined && process.env['CI'] && existsSync(fromHere('../../shared')))
    throw new Error(`The folder "${name}" is missing: ${sources[name]}`);
  return path;
}

function fromHere(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** For measurements, which end without it. */
export function requiredFolder(name: keyof typeof sources): string {
  return sharedFolder(name) ?? cannotRun(`The folder data/${name} is missing: ${sources[name]}.`);
}

/**
 * Whether the recorded servers are the 144 that the tests' counts were taken of: `npm run record` makes some of them, which
 * are enough for everything but these counts.
 */
export function corpusIsComplete(): boolean {
  const folder = sharedFolder('corpus');
  return folder !== undefined && readdirSync(folder).filter((file) => file.endsWith('.json')).length === 144;
}
