import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('npm run demo:quick', () => {
  let code: number | null;
  let output: string;

  beforeAll(async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'demo/quick.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    output = await text(child.stdout);
    code = await ended;
  });

  test('ends by itself', () => {
    expect(code).toBe(0);
  });

  test("shows that the model is told the server's own schemas", () => {
    for (const tool of ['fg_findPersons', 'book_table', 'paint_canvas']) {
      expect(output).toMatch(new RegExp(`${tool}: ✓ the server's \\d+ characters`));
      expect(output).toMatch(new RegExp(`${tool}: ✗ changed`));
    }
  });

  test('shows the repaired call, which the server found valid', () => {
    expect(output).toContain('"limit": 100,');
    expect(output).toContain('"ageMin": 30');
    expect(output).toContain('✓ valid');
  });

  test('fits a terminal of 100 columns, and is plain text where it is piped', () => {
    const lines = output.split('\n');
    expect(lines.filter((line) => Array.from(line).length > 100)).toEqual([]);
    expect(output).not.toContain('\u001b');
  });
});
