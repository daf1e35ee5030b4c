// npm run bench:maskbench [-- FOLDER]: every schema of MaskBench with every instance it comes with, valid and invalid.
// `npm run fetch:maskbench` fetches them; no data is in this repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileSchema, evaluate, violationLines } from '../src/schema/index.js';
import type { Evaluation } from '../src/schema/index.js';

/** A file of MaskBench. */
interface Entry {
  schema: unknown;
  tests?: { valid: boolean; data: unknown }[];
}

const folder = process.argv[2] ?? fileURLToPath(new URL('../data/jsonschemabench/maskbench/data', import.meta.url));
if (!existsSync(folder)) {
  console.error(`${folder} is not there: npm run fetch:maskbench`);
  process.exit(2);
}

const counts = { schemas: 0, instances: 0, agreed: 0, differ: 0, undetermined: 0 };
const odd: string[] = [];

for (const file of readdirSync(folder).sort()) {
  const { schema, tests = [] } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Entry; // see the README of MaskBench
  if (tests.length === 0) continue;
  counts.schemas += 1;
  const compiled = compileSchema(schema);
  for (const { valid, data } of tests) {
    counts.instances += 1;
    const evaluation = evaluate(compiled, data, { assertFormats: true });
    const expected = valid ? 'valid' : 'invalid';
    if (evaluation.outcome === expected) counts.agreed += 1;
    else {
      counts[evaluation.outcome === 'undetermined' ? 'undetermined' : 'differ'] += 1;
      odd.push(`${file}: MaskBench says ${expected}, here ${described(evaluation)}`);
    }
  }
}

for (const line of odd) console.log(line);
console.log(
  `${counts.schemas} schemas, ${counts.instances} instances: ${counts.agreed} agreed, ${counts.differ} differ, ${counts.undetermined} could not be validated`,
);

function described(evaluation: Evaluation): string {
  if (evaluation.outcome === 'undetermined') return `could not be validated: ${evaluation.message}`;
  return evaluation.outcome === 'valid' ? 'valid' : `invalid: ${violationLines(evaluation.violations)[0]}`;
}
