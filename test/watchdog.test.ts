import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const repository = join(import.meta.dirname, '..');

test('A test that hangs in a loop is ended from outside its process, named, and fails the run', async () => {
  const config = join(repository, 'test-support', 'watchdog', 'hanging', 'vitest.config.mts');
  const vitest = join(repository, 'node_modules', 'vitest', 'vitest.mjs');
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    const env = { ...process.env, TEST_WATCHDOG_SECONDS: '1' };
    execFile(
      process.execPath,
      [vitest, 'run', '--config', config],
      { env, cwd: repository },
      (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, output: stdout + stderr });
      },
    );
  });
  expect(output).toMatch(/hangs\.test\.ts has hung for 1 seconds, and is ended/);
  expect(output).toContain('passes.test.ts');
  expect(code).toBe(1);
});
