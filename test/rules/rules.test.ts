import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalogueOf } from '../../src/mcp/catalogue/catalogue.js';
import type { DiagnosticCode } from '../../src/schema/index.js';
import { findingsIn, rules } from '../../src/rules/index.js';
import { ruleOfNote } from '../../src/rules/rules.js';
import { ruleExamples, toolOf } from '../../test-support/rule-examples.js';
import { authorRules, findingsFor, renderRulesPage, rulesPage } from '../../test-support/rules-page.js';
import { integer, members, object, string, texts, times } from '../../test-support/schemas/short.js';

/** The rules that a list of these tools breaks, by name. */
function fired(...tools: string[]): string[] {
  return findingsFor(...tools).map(({ rule }) => rule);
}

describe('the examples of docs/rules.md', () => {
  test('docs/rules.md has examples of every rule except not-as-approved, which needs an approval', () => {
    expect([...Object.keys(ruleExamples), 'not-as-approved'].sort()).toEqual([...authorRules].sort());
  });

  test.each(Object.entries(ruleExamples))(
    'The bad example of %s has the finding, and the good one has not',
    (id, example) => {
      expect(fired(toolOf(example.of, example.found))).toContain(id);
      if (example.better !== undefined) expect(fired(toolOf(example.of, example.better))).not.toContain(id);
    },
  );
});

test('docs/rules.md is up to date with the rules and their examples (npm run docs:rules)', () => {
  expect(readFileSync(rulesPage, 'utf8')).toBe(renderRulesPage());
});

test('The rule token-cost fires for an expensive tool, and for many cheap ones', () => {
  const tool = (name: string, length: number) =>
    `{"name":"${name}","description":"${'x'.repeat(length)}","inputSchema":{"type":"object"}}`;
  expect(fired(tool('a', 4_000))).toContain('token-cost');
  expect(fired(tool('a', 3_900))).not.toContain('token-cost');
  const many = (count: number) => times(count, (i) => tool(`a${i}`, 3_800));
  expect(fired(...many(5))).not.toContain('token-cost');
  expect(fired(...many(6))).toContain('token-cost');
});

test('The rule schema-too-large fires if a part of a schema was not examined', () => {
  const tool = (count: number) =>
    JSON.stringify({ name: 'a', inputSchema: object(members(texts(count), () => ({ ...string, x: 1 }))) });
  expect(fired(tool(120))).toContain('schema-too-large');
  expect(fired(tool(20))).not.toContain('schema-too-large');
});

test('Every note of the schema engine belongs to a rule', () => {
  const codes: Record<DiagnosticCode, true> = {
    'unknown-dialect': true,
    'unresolved-reference': true,
    'unparsable-pattern': true,
    'risky-pattern': true,
    'malformed-schema': true,
    'malformed-keyword': true,
    'empty-enum': true,
    'unknown-keyword': true,
    'ignored-keyword': true,
    'unknown-format': true,
    nullable: true,
    'legacy-keyword': true,
    'schema-too-large': true,
    more: true,
  };
  for (const code of Object.keys(codes)) expect(Object.keys(rules)).toContain(ruleOfNote(code));
});

test('A finding names its place and shows invisible characters', () => {
  const { skipped, tools, find } = catalogueOf([
    { entries: [{ name: 'a\u202eb', inputSchema: { type: 'object', properties: { 'x/y': {} } } }, 7] },
  ]);
  const found = findingsIn({ skipped, tools, find });
  expect(found).toContainEqual({
    rule: 'missing-type',
    level: 'warning',
    subject: 'schema',
    tool: 'a\u202eb',
    message: '1 argument without a type: #/properties/x~1y',
    location: '#/properties/x~1y',
  });
  expect(found.find(({ rule }) => rule === 'skipped-tool')).toMatchObject({ tool: 'tool 2', level: 'error' });
  const [invisible] = found.filter(({ rule }) => rule === 'invisible-characters');
  expect(invisible?.message).toContain(String.raw`a\u202eb`);
});

test('A condition on an argument, or a forbidden argument, does not count as one without a type', () => {
  const x = { ...integer, description: 'How many.' };
  const inputSchema = {
    type: 'object',
    properties: { x, y: false },
    allOf: [{ if: { properties: { x: { minimum: 1 } } }, then: { properties: { x: { maximum: 5 } } } }],
    anyOf: [{ properties: { x: { minimum: 2 } } }, { properties: { z: { minimum: 2 } } }],
    dependentSchemas: { x: { properties: { x: { multipleOf: 2 } } } },
  };
  const { skipped, tools, find } = catalogueOf([{ entries: [{ name: 'a', description: 'A.', inputSchema }] }]);
  const missing = findingsIn({ skipped, tools, find }).filter(({ rule }) => rule.startsWith('missing-'));
  expect(missing.map(({ message }) => message)).toEqual([
    '1 argument without a type: #/anyOf/1/properties/z',
    '1 argument without a description: #/anyOf/1/properties/z',
  ]);
});
