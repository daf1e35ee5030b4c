// Builds a copy of the checkout from sources in which Stryker's mutants are. Stryker links the packages only after that.
import { symlinkSync } from 'node:fs';

symlinkSync('../../node_modules', 'node_modules');
process.argv.push('--no-types');
await import('../../build.mjs');
