// Adds up the test reports and prints the closing line. A run without tests, and a skipped test, are failures: in CI
// everything that a test needs is there, but for the recordings of all servers, of which `npm run record` makes some.
import { readFileSync } from 'node:fs';

const totals = { passed: 0, failed: 0, skipped: 0 };
let expected = 0;
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  totals.passed += report.numPassedTests;
  totals.failed += report.numFailedTests;
  totals.skipped += report.numPendingTests + report.numTodoTests;
  for (const suite of report.testResults) {
    for (const test of suite.assertionResults) {
      if (test.status !== 'passed') console.log(`${test.status}: ${test.fullName}`);
      if (/pending|skipped/.test(test.status) && test.fullName.endsWith('(all recordings)')) expected++;
    }
  }
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.passed > 0 && totals.failed === 0 && totals.skipped === expected ? 0 : 1;
