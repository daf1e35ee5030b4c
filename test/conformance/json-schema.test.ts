import { describe, expect, test } from 'vitest';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluate, type EvaluateOptions } from '../../src/schema/evaluate/evaluate.js';
import type { Dialect } from '../../src/schema/keywords/keyword.js';
import { sharedFolder } from '../../test-support/shared.js';
import { suiteDialects, type SuiteGroup, suiteGroups, suiteRemotes } from './json-schema-suite.js';

const suite = sharedFolder('json-schema-test-suite');

describe.skipIf(!suite)('The official JSON Schema test suite', () => {
  const path = suite ?? '';
  const remotes = suite ? suiteRemotes(path) : {};

  test.each(suiteDialects)('Every required test of $dialect passes ($required)', ({ dialect, folder, required }) => {
    const { passed, failures } = run(suiteGroups(path, folder), dialect, remotes);
    expect(failures).toEqual([]);
    expect(passed).toBe(required);
  });

  test.each(suiteDialects)(
    'Tests of $dialect without remotes stay open: $needRemotes',
    ({ dialect, folder, needRemotes }) => {
      const { failures, wrong } = run(suiteGroups(path, folder), dialect, {});
      // Their references lead to files that are not loaded; one declares a dialect that only a remote meta-schema describes.
      expect(failures.filter((name) => !/^(refRemote|dynamicRef|vocabulary)\.json: /.test(name))).toEqual([]);
      expect(wrong.filter((name) => !name.startsWith('vocabulary.json: '))).toEqual([]);
      expect(failures).toHaveLength(needRemotes);
    },
  );

  test.each(suiteDialects)('Only the listed optional tests of $dialect do not pass', ({ dialect, folder }) => {
    const { failures } = run(suiteGroups(path, `${folder}/optional`), dialect, remotes);
    expect(failures).toEqual(leftOut[dialect] ?? []);
  });

  test('Optional format tests of 2020-12 pass with formats asserted', () => {
    const groups = suiteGroups(path, 'draft2020-12/optional/format');
    const { total, failures } = run(groups, '2020-12', remotes, { assertFormats: true });
    expect(total).toBe(764);
    expect(failures).toEqual([]);
  });
});

/** Optional behaviour that is not implemented on purpose. */
const leftOut: Readonly<Partial<Record<Dialect, readonly string[]>>> = {
  // JSON.parse reads 1.0 and 1 as the same number.
  'draft-04': [
    'zeroTerminatedFloats.json: some languages do not distinguish between different types of numeric value: a float is not an integer even without fractional part',
  ],
  // Content is an annotation here, as in later dialects.
  'draft-07': [
    'content.json: validation of string-encoded content based on media type: an invalid JSON document',
    'content.json: validation of binary string-encoding: an invalid base64 string (% is not a valid character)',
    'content.json: validation of binary-encoded media type documents: a validly-encoded invalid JSON document',
    'content.json: validation of binary-encoded media type documents: an invalid base64 string that is valid JSON',
  ],
  // The caller decides whether formats are asserted. A stranger's meta-schema must not.
  '2020-12': [
    'format-assertion.json: schema that uses custom metaschema with format-assertion: false: format-assertion: false: invalid string',
    'format-assertion.json: schema that uses custom metaschema with format-assertion: true: format-assertion: true: invalid string',
  ],
};

/** The names of the tests with a wrong verdict, and of those among them whose verdict is not undetermined. */
function run(
  groups: readonly SuiteGroup[],
  dialect: Dialect,
  documents: Readonly<Record<string, unknown>>,
  options?: EvaluateOptions,
) {
  const failures: string[] = [];
  const wrong: string[] = [];
  let total = 0;
  for (const group of groups) {
    const compiled = compileSchema(group.schema, { documents, defaultDialect: dialect });
    for (const test of group.tests) {
      total++;
      const { outcome } = evaluate(compiled, test.data, options);
      if (outcome === (test.valid ? 'valid' : 'invalid')) continue;
      const name = `${group.file}: ${group.description}: ${test.description}`;
      failures.push(name);
      if (outcome !== 'undetermined') wrong.push(name);
    }
  }
  return { total, passed: total - failures.length, failures, wrong };
}
