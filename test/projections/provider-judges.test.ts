import { spawnSync } from 'node:child_process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { filtered, isObject } from '../../src/json/index.js';
import { modelSchema, type Provider, providers, sentSchema } from '../../src/projections/index.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns, sampled } from '../../test-support/law-runs.js';
import { schemaWithDefinitions } from '../../test-support/schemas/arbitraries.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { members, object, string as text } from '../../test-support/schemas/short.js';
import { sharedFolder } from '../../test-support/shared.js';
import { judged, patternsIn } from '../../test-support/model/provider-judges.js';

type Schema = Readonly<Record<string, unknown>>;

const corpus = sharedFolder('corpus');
const recorded = sampled(corpus === undefined ? [] : corpusTools(corpus)).map(({ inputSchema }) =>
  modelSchema({ inputSchema: inputSchema as Schema }),
);

/** Drawn from all keywords, and from the output of older dialects and careless generators. */
const drawn = fc
  .sample(schemaWithDefinitions.filter(isObject), { numRuns: lawRuns(1000), seed: 45 })
  .map((schema, index): Schema => {
    const odd = [
      { items: [{ type: 'array' }], additionalItems: false },
      { minimum: 1, exclusiveMinimum: true },
      { properties: { 'a[b]': { type: 'any' }, c: true, d: null }, required: ['a[b]', 'a[b]'] },
      { definitions: { one: { $ref: '#' } }, properties: { e: { $ref: '#/definitions/one' } } },
      { properties: { f: { enum: [1, '', null] }, g: { type: ['array', 'string'], maxItems: 5000 } } },
      { $schema: 'http://json-schema.org/draft-04/schema#', properties: { h: { maximum: 2, exclusiveMaximum: true } } },
    ][index % 7];
    return { ...schema, ...odd };
  });

describe.each(Object.keys(providers) as Provider[])('the schemas for %s', (provider) => {
  test.each([
    ['every recorded tool', recorded],
    ['odd schemas', drawn],
  ])('The adapted schema of %s has no fault by another judge', (_which, schemas) => {
    for (const schema of schemas) {
      const { schema: sent } = sentSchema(schema, provider, undefined, 'langchain');
      expect(judged(sent, provider), JSON.stringify({ schema, sent })).toEqual([]);
    }
  });
});

test.each<Provider>(['openai', 'anthropic', 'mistral', 'deepseek', 'moonshot'])(
  'The schemas for %s satisfy the metaschema of 2020-12 by Ajv',
  (provider) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const schema of [...recorded, ...drawn]) {
      const { schema: sent } = sentSchema(schema, provider, undefined, 'langchain');
      const isValid = ajv.validateSchema(filtered(sent, (key) => key !== '$schema')) === true;
      expect(isValid, JSON.stringify({ schema, sent })).toBe(true);
    }
  },
);

test('In Responses, xAI is sent no patterns and no formats', () => {
  for (const schema of recorded) {
    const sent = sentSchema(schema, 'xai', 'responses').schema;
    expect(patternsIn(sent)).toEqual([]);
  }
});

test.skipIf(spawnSync('python3', ['-V']).status !== 0)(
  'OpenAI is sent only patterns that Python compiles, without lookaround',
  () => {
    const written = [
      ...['^\\p{L}+$', '(?<n>a)\\k<n>', '[\\w-.]', '[a-\\d]', '[\\w--a]', '\\u{1F600}', '[^]', '\\z', '(a)\\2'],
      ...['a{,3}'],
      ...['(?i)a', 'a(?i)b', '(', '[', 'a**', '\\cA', '(?<=a)b', '(?!a)', '[(?=]', '\\(?=', 'a{2}{3}'],
      ...['(?<n>a)(?<n>b)'],
      ...['a{99999999999}', '\\8', '[z-a]', '[a-\\w]', '(?:a', '\\x4', '\\u12', '\\_', '(?P<é>a)', 'a|*'],
      ...['(?-i:a)', '[[:alpha:]]'],
      ...['a{3,2}', '^*', '$+', '(?=a)*', '\\b+', '(?#x)', '(?<n-1>a)', '\\k<m>', '[\\d-z]', '(?s-i:a)'],
      ...['(?ii:a)', '(?a:x)'],
    ];
    const odd = object(members(written, (pattern) => ({ ...text, pattern })));
    const patterns = new Set([...recorded, odd].flatMap((schema) => patternsIn(sentSchema(schema, 'openai').schema)));
    const program = `
import json, re, sys
parser = getattr(re, '_parser', None) or __import__('sre_parse')
for each in json.load(sys.stdin):
    try:
        re.compile(each)
        assert 'ASSERT' not in str(parser.parse(each)), 'looks around'
    except Exception as error: print(each, error)`;
    const input = JSON.stringify([...patterns]);
    const { stdout, stderr } = spawnSync('python3', ['-W', 'ignore', '-c', program], { input, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  },
);
