import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, pointerTokens, valueAt } from '../../src/json/index.js';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import { repairArguments } from '../../src/repair/index.js';
import { sharedFolder } from '../../test-support/shared.js';
import { refusal } from './refusal.js';

interface Slips {
  readonly tools: Readonly<Record<string, JsonObject>>;
  readonly calls: readonly { readonly tool: string; readonly args: JsonObject }[];
}

const folder = sharedFolder('slips');

/** The words that a message about a violation must contain: its field, and the expected type or value. */
function mustName(schema: JsonObject, args: unknown): string[] {
  const evaluation = evaluate(compileSchema(schema), args);
  if (evaluation.outcome !== 'invalid') return [];
  return evaluation.violations.flatMap(
    ({ instanceLocation, expectedTypes, keyword, property, received, schemaLocation }) => {
      if (property !== undefined) {
        const declared: unknown = valueAt(schema, schemaLocation.slice(1).replace(/[^/]*$/, `properties/${property}`));
        const type = keyword === 'required' && isObject(declared) ? [declared['type']] : [];
        return [JSON.stringify(property), ...type.map(String)];
      }
      const values: unknown = valueAt(schema, schemaLocation.slice(1));
      // One line covers several rows of a list.
      const place = pointerTokens(instanceLocation).find((token) => !/^\d+$/.test(token)) ?? '';
      if (keyword === 'enum' && Array.isArray(values)) return [place, JSON.stringify(nearest(received.value, values))];
      const listed = Array.isArray(valueAt(schema, schemaLocation.slice(1).replace(/[^/]*$/, 'enum')));
      return [place, ...(keyword === 'type' && !listed ? (expectedTypes ?? []) : [])];
    },
  );
}

/** The allowed value that is most similar to the received one, by pairs of letters. */
function nearest(wanted: unknown, values: readonly unknown[]): unknown {
  const pairs = (value: unknown) => {
    const text = String(value).toLowerCase();
    return new Set(Array.from(text.slice(1), (letter, index) => (text[index] ?? '') + letter));
  };
  const score = (value: unknown) => {
    const [left, right] = [pairs(wanted), pairs(value)];
    return [...left].filter((pair) => right.has(pair)).length / (left.size + right.size + 1);
  };
  return [...values].sort((left, right) => score(right) - score(left))[0];
}

describe.skipIf(folder === undefined)('Calls that models got wrong are refused in words', () => {
  const text = folder === undefined ? '{"tools":{},"calls":[]}' : readFileSync(join(folder, 'calls.json'), 'utf8');
  const { tools, calls } = JSON.parse(text) as Slips;
  const cases = calls.map(({ tool, args }) => ({ tool, args, schema: tools[tool] ?? {} }));

  test.each(cases)('$tool $args', ({ tool, args, schema }) => {
    const { message } = refusal({ name: tool, inputSchema: schema }, args, { repairs: 'off' });
    const names = mustName(schema, args);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(message).toContain(name);
    expect(message.length).toBeLessThan(JSON.stringify(args).length + 300);
  });

  test.each(cases)('with safe repairs, what remains of $tool $args', ({ tool, args, schema }) => {
    const { arguments: rest, repairs, evaluation } = repairArguments(compileSchema(schema), args, 'safe');
    if (evaluation.outcome === 'valid') return;
    const { message } = refusal({ name: tool, inputSchema: schema }, args, { repairs: 'safe' });
    const names = mustName(schema, rest);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(message).toContain(name);
    // Repaired places have no line; every other line is about a value that the model sent.
    const lines = message.split('\n');
    for (const { instanceLocation } of repairs)
      expect(lines.filter((line) => line.includes(`${instanceLocation}:`))).toEqual([]);
    for (const { instanceLocation } of evaluation.outcome === 'invalid' ? evaluation.violations : [])
      expect(valueAt(args, instanceLocation)).not.toBe(undefined);
    expect(message.length).toBeLessThan(JSON.stringify(args).length + 300);
  });
});
