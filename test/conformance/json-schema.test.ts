import { afterAll, describe, expect, test } from 'vitest';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluate, type EvaluateOptions } from '../../src/schema/evaluate/evaluate.js';
import type { Dialect } from '../../src/schema/keywords/keyword.js';
import { sharedFolder } from '../../test-support/shared.js';
import { suiteDialects, type SuiteGroup, suiteGroups, suiteRemotes } from './json-schema-suite.js';

const suite = sharedFolder('json-schema-test-suite');

describe.skipIf(!suite)('The official JSON Schema test suite', () => {
  const path = suite ?? '';
  const remotes = suite ? suiteRemotes(path) : {};
  const lines: string[] = [];

  afterAll(() => {
    console.log(lines.join('\n'));
  });

  test.each(suiteDialects)('$dialect: every required test passes ($required)', ({ dialect, folder, required }) => {
    const { passed, failures } = run(suiteGroups(path, folder), dialect, remotes);

    lines.push(`${dialect}: ${passed} of ${required} required tests`);
    expect(failures).toEqual([]);
    expect(passed).toBe(required);
  });

  test.each(suiteDialects)(
    '$dialect: without remotes only the tests that need them stay open',
    ({ dialect, folder }) => {
      const { failures, groups, wrong } = run(suiteGroups(path, folder), dialect, {});
      const { tests, of } = needRemotes[dialect];

      // The one with a wrong verdict declares a dialect that only a remote meta-schema explains.
      expect(wrong.filter((name) => !name.startsWith('vocabulary.json: '))).toEqual([]);
      expect(groups.toSorted()).toEqual(of.toSorted());
      expect(failures).toHaveLength(tests);
    },
  );

  test.each(suiteDialects)(
    '$dialect: of the other optional tests only those named here do not pass',
    ({ dialect, folder }) => {
      const { passed, total, failures } = run(suiteGroups(path, `${folder}/optional`), dialect, remotes);

      lines.push(`${dialect}: ${passed} of ${total} other optional tests`);
      expect(failures).toEqual(leftOut[dialect] ?? []);
    },
  );

  test('2020-12: optional format tests pass with formats asserted', () => {
    const groups = suiteGroups(path, 'draft2020-12/optional/format');
    const { passed, total, failures } = run(groups, '2020-12', remotes, { assertFormats: true });

    lines.push(`2020-12: ${passed} of ${total} optional format tests`);
    expect(total).toBe(764);
    expect(failures).toEqual([]);
  });

  test('2020-12: formats are annotations unless asserted', () => {
    const groups = suiteGroups(path, 'draft2020-12').filter(({ file }) => file === 'format.json');
    const { wrong, total } = run(groups, '2020-12', {});
    expect(total).toBe(133);
    expect(wrong).toEqual([]);
  });
});

const remoteRefs = [
  'remote ref',
  'fragment within remote ref',
  'ref within remote ref',
  'base URI change',
  'base URI change - change folder',
  'base URI change - change folder in subschema',
  'root ref in remote ref',
  'Location-independent identifier in remote ref',
].map((group) => `refRemote.json: ${group}`);
const nestedRef = 'refRemote.json: retrieved nested refs resolve relative to their URI not $id';
const sinceDraft06 = [
  ...remoteRefs,
  nestedRef,
  'refRemote.json: remote ref with ref to definitions',
  'refRemote.json: $ref to $ref finds location-independent $id',
];
const since2019 = [
  ...remoteRefs,
  nestedRef,
  'refRemote.json: anchor within remote ref',
  'refRemote.json: remote ref with ref to defs',
  'refRemote.json: remote HTTP ref with different $id',
  'refRemote.json: remote HTTP ref with different URN $id',
  'refRemote.json: remote HTTP ref with nested absolute ref',
  'refRemote.json: $ref to $ref finds detached $anchor',
  'vocabulary.json: schema that uses custom metaschema with with no validation vocabulary',
];

/**
 * The suite's groups that need its remote documents. Without them their references lead nowhere, so their tests stay
 * undetermined; the one whose meta-schema is remote is read as its default dialect.
 */
const needRemotes: Readonly<Record<Dialect, { readonly tests: number; readonly of: readonly string[] }>> = {
  'draft-04': { tests: 17, of: remoteRefs },
  'draft-06': { tests: 23, of: sinceDraft06 },
  'draft-07': { tests: 23, of: sinceDraft06 },
  '2019-09': { tests: 32, of: since2019 },
  '2020-12': {
    tests: 45,
    of: [
      ...since2019,
      'dynamicRef.json: strict-tree schema, guards against misspelled properties',
      'dynamicRef.json: tests for implementation dynamic anchor and reference link',
      'dynamicRef.json: $ref and $dynamicAnchor are independent of order - $defs first',
      'dynamicRef.json: $ref and $dynamicAnchor are independent of order - $ref first',
      'dynamicRef.json: $ref to $dynamicRef finds detached $dynamicAnchor',
    ],
  },
};

/** Optional behaviour that is left out on purpose. */
const leftOut: Readonly<Partial<Record<Dialect, readonly string[]>>> = {
  // JSON.parse makes 1.0 and 1 the same number.
  'draft-04': [
    'zeroTerminatedFloats.json: some languages do not distinguish between different types of numeric value: a float is not an integer even without fractional part',
  ],
  // Content is described, not checked: later dialects made that the rule.
  'draft-07': [
    'content.json: validation of string-encoded content based on media type: an invalid JSON document',
    'content.json: validation of binary string-encoding: an invalid base64 string (% is not a valid character)',
    'content.json: validation of binary-encoded media type documents: a validly-encoded invalid JSON document',
    'content.json: validation of binary-encoded media type documents: an invalid base64 string that is valid JSON',
  ],
  // Whether formats are asserted is the caller's choice, not that of a stranger's meta-schema.
  '2020-12': [
    'format-assertion.json: schema that uses custom metaschema with format-assertion: false: format-assertion: false: invalid string',
    'format-assertion.json: schema that uses custom metaschema with format-assertion: true: format-assertion: true: invalid string',
  ],
};

interface SuiteResult {
  readonly total: number;
  readonly passed: number;
  /** Tests without the right verdict, by name. */
  readonly failures: readonly string[];
  /** The groups that have such tests. */
  readonly groups: readonly string[];
  /** Those of them with the wrong verdict: the others are undetermined. */
  readonly wrong: readonly string[];
}

function run(
  groups: readonly SuiteGroup[],
  dialect: Dialect,
  documents: Readonly<Record<string, unknown>>,
  options?: EvaluateOptions,
): SuiteResult {
  const failures: string[] = [];
  const groupNames = new Set<string>();
  const wrong: string[] = [];
  let total = 0;
  for (const group of groups) {
    const compiled = compileSchema(group.schema, { documents, defaultDialect: dialect });
    for (const test of group.tests) {
      total++;
      const { outcome } = evaluate(compiled, test.data, options);
      if (outcome === (test.valid ? 'valid' : 'invalid')) continue;
      const groupName = `${group.file}: ${group.description}`;
      const name = `${groupName}: ${test.description}`;
      groupNames.add(groupName);
      failures.push(name);
      if (outcome !== 'undetermined') wrong.push(name);
    }
  }
  return { total, passed: total - failures.length, failures, groups: [...groupNames], wrong };
}
