import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hostileSchemas } from '../../test-support/schemas/hostile.js';

interface Measured {
  readonly schema: string;
  readonly projection: string;
  /** On a machine of usual speed. */
  readonly ms: number;
  readonly thrown?: string;
}

describe('for any schema of up to 1 MB', () => {
  test('every projection answers within a second and 300 MB, and does not throw', () => {
    const program = fileURLToPath(new URL('measure.ts', import.meta.url));
    const output = execFileSync(process.execPath, ['--max-old-space-size=300', '--import', 'tsx', program], {
      encoding: 'utf8',
      maxBuffer: 10_000_000,
    });
    const measured = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Measured);
    expect(new Set(measured.map(({ schema }) => schema))).toEqual(new Set(Object.keys(hostileSchemas)));
    expect(measured.filter(({ thrown }) => thrown !== undefined)).toEqual([]);
    expect(measured.filter(({ ms }) => ms > 1000)).toEqual([]);
    const slowest = measured.reduce((slow, one) => (one.ms > slow.ms ? one : slow));
    console.log(
      `${measured.length} projections; the slowest: ${slowest.ms} ms, ${slowest.projection}, ${slowest.schema}`,
    );
  }, 600_000);
});
