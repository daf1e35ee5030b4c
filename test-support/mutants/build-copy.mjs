// Builds a copy of the checkout with Stryker's mutants in its sources. Stryker links the packages only later.
import { symlinkSync } from 'node:fs';

symlinkSync('../../node_modules', 'node_modules');
process.argv.push('--no-types');
await import('../../build.mjs');
