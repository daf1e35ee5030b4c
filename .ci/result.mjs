// Adds up the test reports and prints the closing line. A run without tests and a skipped test are failures, because CI
// has everything that tests need. There are three exceptions, and each skipped test is printed: tests of all recordings,
// if `npm run record` has made only some; nodes that an older n8n lacks, which are listed here; and, if ../shared is
// absent, tests that read recorded data.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const lacking = { 'n8n-1.123': ['n8n-nodes-base.telegramHitlTool 1.2'] };

const hasRecordings = existsSync(new URL('../../shared', import.meta.url));
const readsRecordings = (file) => !hasRecordings && readFileSync(file, 'utf8').includes('test-support/shared.js');

const totals = { passed: 0, failed: 0, skipped: 0 };
let expected = 0;
let unknown = 0;
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  totals.passed += report.numPassedTests;
  totals.failed += report.numFailedTests;
  totals.skipped += report.numPendingTests + report.numTodoTests;
  const absent = new Set();
  if (report.numPassedTests === 0) unknown++;
  for (const suite of report.testResults) {
    for (const test of suite.assertionResults) {
      const what = test.meta?.absent;
      const status = what === undefined ? test.status : `absent in ${basename(file, '.json')} (${what})`;
      if (test.status !== 'passed') console.log(`${status}: ${test.fullName}`);
      if (what !== undefined) absent.add(what);
      const isSkipped = /pending|skipped/.test(test.status);
      if (isSkipped && (test.fullName.endsWith('(all recordings)') || readsRecordings(suite.name))) expected++;
      if (what !== undefined && test.status !== 'failed') expected++;
    }
  }
  const named = lacking[basename(file, '.json')] ?? [];
  if (named.length !== absent.size || named.some((what) => !absent.has(what))) {
    console.log(`${file}: absent is ${[...absent].join(', ') || 'nothing'}, not ${named.join(', ') || 'nothing'}`);
    unknown++;
  }
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = unknown === 0 && totals.passed > 0 && totals.failed === 0 && totals.skipped === expected ? 0 : 1;
