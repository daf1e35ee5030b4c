import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * A folder of the data that is shared beside the checkout and committed nowhere (the official JSON Schema suite,
 * the corpus of real `tools/list` answers, recorded slips).
 *
 * @returns its path, or undefined where it is absent, so that a test can skip visibly
 * @throws where it is absent in CI: a check that does not run there must not look like one that passed
 */
export function sharedFolder(name: 'json-schema-test-suite' | 'corpus' | 'slips'): string | undefined {
  const path = fileURLToPath(new URL(`../../shared/${name}`, import.meta.url));
  if (existsSync(path)) return path;
  if (process.env['CI']) throw new Error(`The shared data folder "${name}" is missing beside the checkout.`);
  return undefined;
}
