import { describe, expect, test } from 'vitest';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import { exampleValue, formArgumentsText, formFields, formLimits, signature } from '../../src/projections/index.js';
import { checkArguments } from '../../src/tool/index.js';
import { sampled } from '../../test-support/law-runs.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { corpusIsComplete, sharedFolder } from '../../test-support/shared.js';

const corpus = sharedFolder('corpus');

describe.skipIf(corpus === undefined)('the tools of the recorded servers', () => {
  const tools = sampled(corpus === undefined ? [] : corpusTools(corpus)).map(({ inputSchema }) => ({
    name: 'tool',
    inputSchema: inputSchema as Record<string, unknown>,
  }));

  test('Recorded tools have a signature on one line', () => {
    for (const { inputSchema } of tools) {
      const line = signature({ inputSchema });
      expect(line.length).toBeLessThanOrEqual(240);
      expect(line).not.toContain('\n');
    }
  });

  test('Nearly all recorded tools have an example that their schema accepts', () => {
    const found = tools.filter(({ inputSchema }) => {
      const example = exampleValue({ inputSchema });
      if (example === undefined) return false;
      const { outcome } = evaluate(compileSchema(inputSchema), example, { budget: { patternMs: 60_000 } });
      expect(outcome).toBe('valid');
      return true;
    });
    expect(found.length / tools.length).toBeGreaterThan(0.98);
  });

  test('Recorded tools have a form with a field for each property, whose examples and options the schema accepts', () => {
    let filled = 0;
    for (const tool of tools) {
      const form = formFields(tool);
      const isWhole = !formLimits(tool).some((limit) => /alternatives|go together/.test(limit));
      const names = Object.keys(tool.inputSchema['properties'] ?? {});
      expect(form.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
      const values = form.flatMap(({ name, options, example, required }): [string, unknown][] => {
        const value = options?.[0]?.value ?? example;
        return value === undefined || !required ? [] : [[name, value]];
      });
      if (!isWhole || values.length < form.filter(({ required }) => required).length) continue;
      filled++;
      expect(() => checkArguments(tool, JSON.parse(formArgumentsText(form, Object.fromEntries(values))))).not.toThrow();
    }
    expect(filled).toBeGreaterThan(tools.length / (corpusIsComplete() ? 4 : 6));
  });
});
