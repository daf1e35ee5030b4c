import { describe, expect, test } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { corpusIsComplete, sharedFolder } from '../../test-support/shared.js';
import { synthesise } from '../../test-support/schemas/synthesise.js';

const corpus = sharedFolder('corpus');

/** Every integer within a value, by its path. */
function integersIn(value: unknown, path: string[] = []): { path: string[]; integer: number }[] {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? [{ path, integer: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => integersIn(member, [...path, key]));
}

function withValueAt(value: unknown, [key, ...rest]: string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const member = withValueAt((value as Record<string, unknown>)[key], rest, replacement);
  if (Array.isArray(value)) return value.with(Number(key), member);
  return { ...(value as object), [key]: member };
}

describe.skipIf(corpus === undefined)('integers sent as strings, to the tools of the recorded servers', () => {
  test('come back as integers where the schema refuses the string, and stay strings where it accepts them', () => {
    const counts = { tools: 0, synthesised: 0, withIntegers: 0, repaired: 0, kept: 0, left: 0 };
    for (const { server, name, inputSchema } of corpusTools(corpus ?? '')) {
      counts.tools++;
      const compiled = compileSchema(inputSchema);
      const args = synthesise(inputSchema, { optional: true });
      if (evaluate(compiled, args).outcome !== 'valid') continue;
      counts.synthesised++;
      const integers = integersIn(args);
      if (integers.length > 0) counts.withIntegers++;

      let all: unknown = args;
      const asStrings: typeof integers = [];
      for (const { path, integer } of integers) {
        const malformed = withValueAt(args, path, String(integer));
        const where = `${server} ${name} /${path.join('/')}`;
        const { arguments: repaired, repairs, evaluation } = repairArguments(compiled, malformed);
        if (evaluate(compiled, malformed).outcome === 'valid') {
          expect(repaired, where).toBe(malformed);
          counts.kept++;
        } else if (evaluation.outcome !== 'valid') {
          // Beside the number, a text is allowed: of another form, or one of some.
          expect(repaired, where).toBe(malformed);
          counts.left++;
        } else {
          expect(repaired, where).toEqual(args);
          expect(repairs, where).toHaveLength(1);
          counts.repaired++;
          asStrings.push({ path, integer });
          all = withValueAt(all, path, String(integer));
        }
      }
      const together = repairArguments(compiled, all);
      expect(together.arguments, `${server} ${name}`).toEqual(args);
      expect(together.repairs).toHaveLength(asStrings.length);
    }
    console.log(`corpus: ${JSON.stringify(counts)}`);
    if (!corpusIsComplete()) return;
    expect(counts.tools).toBe(3123);
    // What cannot be synthesised are patterns and conditions; most tools have none.
    expect(counts.synthesised).toBeGreaterThan(3000);
    expect(counts.repaired).toBeGreaterThan(3000);
    expect(counts.left).toBeLessThan(30);
  });
});
