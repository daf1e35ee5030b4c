import { describe, expect, test } from 'vitest';
import { measuredBy } from '../../test-support/measured.js';
import { hostileSchemas } from '../../test-support/schemas/hostile.js';

interface Measured {
  readonly schema: string;
  readonly projection: string;
  /** On a machine of usual speed. */
  readonly ms: number;
  readonly thrown?: string;
}

describe('for any schema of up to 1 MB', () => {
  test('every projection answers within a second and 300 MB, and does not throw', async () => {
    const measured = await measuredBy<Measured>(new URL('measure.ts', import.meta.url));
    expect(new Set(measured.map(({ schema }) => schema))).toEqual(new Set(Object.keys(hostileSchemas)));
    expect(measured.filter(({ thrown }) => thrown !== undefined)).toEqual([]);
    expect(measured.filter(({ ms }) => ms > 1000)).toEqual([]);
    const slowest = measured.reduce((slow, one) => (one.ms > slow.ms ? one : slow));
    console.log(
      `${measured.length} projections; the slowest: ${slowest.ms} ms, ${slowest.projection}, ${slowest.schema}`,
    );
  }, 600_000);
});
