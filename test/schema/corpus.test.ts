import { describe, expect, test } from 'vitest';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { corpusIsComplete, sharedFolder } from '../../test-support/shared.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { mutations } from '../../test-support/schemas/mutate.js';
import { ajvOracle, cfworkerOracle } from '../../test-support/schemas/oracles.js';
import { synthesise } from '../../test-support/schemas/synthesise.js';

const folder = sharedFolder('corpus');

describe.skipIf(!folder)('The schemas of real servers', () => {
  const tools = folder ? corpusTools(folder) : [];

  test.skipIf(!corpusIsComplete())('The schemas of real servers are all there (all recordings)', () => {
    expect(tools).toHaveLength(3123);
  });

  test('The schemas of real servers all compile, and errors in some are reported with a location', () => {
    const odd = tools.filter(({ inputSchema }) => compileSchema(inputSchema).diagnostics.length > 0);
    expect(odd.length).toBeGreaterThan(10);
    for (const { inputSchema } of odd) {
      for (const { schemaLocation, message } of compileSchema(inputSchema).diagnostics) {
        expect(schemaLocation).toMatch(/^#/);
        expect(message).not.toBe('');
      }
    }
  });

  test('The schemas of real servers accept and reject the same values as with Ajv and cfworker, if these agree', () => {
    const disagreements: string[] = [];
    let accepted = 0;
    let refused = 0;
    const all = distinct(tools);
    const step = Math.ceil(all.length / lawRuns(1_300));
    const some = all.filter((_, at) => at % step === 0);
    for (const { server, name, inputSchema } of some) {
      const compiled = compileSchema(inputSchema);
      const ajv = ajvOracle(inputSchema, compiled.dialect);
      const cfworker = cfworkerOracle(inputSchema, compiled.dialect);
      const full = synthesise(inputSchema, { optional: true });
      for (const instance of [full, synthesise(inputSchema, { optional: false }), ...mutations(full, 8)]) {
        const expected = ajv(instance);
        if (expected === undefined || expected !== cfworker(instance)) continue;
        // A slow machine must not matter.
        const { outcome } = evaluate(compiled, instance, { budget: { ms: 60_000, patternMs: 60_000 } });
        if (outcome !== (expected ? 'valid' : 'invalid')) {
          disagreements.push(`${server} ${name}: ${outcome} ${JSON.stringify(instance).slice(0, 200)}`);
        }
        if (expected) accepted++;
        else refused++;
      }
    }
    expect(disagreements).toEqual([]);
    expect(accepted).toBeGreaterThan(1.7 * some.length);
    expect(refused).toBeGreaterThan(4.5 * some.length);
  });
});

function distinct<T extends { inputSchema: unknown }>(tools: readonly T[]): T[] {
  return [...new Map(tools.map((tool) => [JSON.stringify(tool.inputSchema), tool])).values()];
}
