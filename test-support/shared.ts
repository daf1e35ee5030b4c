import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cannotRun } from './cannot-run.js';

const sources = {
  'json-schema-test-suite': 'npm run fetch:suite',
  corpus: 'npm run record',
  slips: 'recorded calls, published nowhere',
};

/**
 * A folder of data that is committed nowhere: the official JSON Schema suite, recorded answers to `tools/list`,
 * recorded slips. It is in `../shared` beside the checkout, or in `data`, into which the project's commands fetch it.
 *
 * @returns its path; undefined if it is absent, so that a test can skip visibly
 * @throws in CI if `../shared` exists without it: a check that does not run must not look like one that passed
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

/** For measurements, which cannot run without it. */
export function requiredFolder(name: keyof typeof sources): string {
  return sharedFolder(name) ?? cannotRun(`The folder data/${name} is missing: ${sources[name]}.`);
}

/**
 * True if the recorded servers are the 144 on which the tests' counts are based. `npm run record` makes some of them,
 * which is enough for everything but these counts.
 */
export function corpusIsComplete(): boolean {
  const folder = sharedFolder('corpus');
  return folder !== undefined && readdirSync(folder).filter((file) => file.endsWith('.json')).length === 144;
}
