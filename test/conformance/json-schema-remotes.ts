import type { Dialect } from '../../src/schema/keywords/keyword.js';

/**
 * The suite's tests that need its remote documents. Without them their references lead nowhere, so they stay
 * undetermined; the one whose meta-schema is remote is read as its default dialect.
 */
export const needsRemotes: Readonly<Partial<Record<Dialect, readonly string[]>>> = {
  'draft-04': [
    ...of('refRemote.json: remote ref', ['remote ref valid', 'remote ref invalid']),
    ...of('refRemote.json: fragment within remote ref', ['remote fragment valid', 'remote fragment invalid']),
    ...of('refRemote.json: ref within remote ref', ['ref within ref valid', 'ref within ref invalid']),
    ...of('refRemote.json: base URI change', ['base URI change ref valid', 'base URI change ref invalid']),
    ...of('refRemote.json: base URI change - change folder', ['number is valid', 'string is invalid']),
    ...of('refRemote.json: base URI change - change folder in subschema', ['number is valid', 'string is invalid']),
    ...of('refRemote.json: root ref in remote ref', ['string is valid', 'null is valid', 'object is invalid']),
    ...of('refRemote.json: Location-independent identifier in remote ref', ['integer is valid', 'string is invalid']),
  ],
  'draft-06': [
    ...of('refRemote.json: remote ref', ['remote ref valid', 'remote ref invalid']),
    ...of('refRemote.json: fragment within remote ref', ['remote fragment valid', 'remote fragment invalid']),
    ...of('refRemote.json: ref within remote ref', ['ref within ref valid', 'ref within ref invalid']),
    ...of('refRemote.json: base URI change', ['base URI change ref valid', 'base URI change ref invalid']),
    ...of('refRemote.json: base URI change - change folder', ['number is valid', 'string is invalid']),
    ...of('refRemote.json: base URI change - change folder in subschema', ['number is valid', 'string is invalid']),
    ...of('refRemote.json: root ref in remote ref', ['string is valid', 'null is valid', 'object is invalid']),
    ...of('refRemote.json: remote ref with ref to definitions', ['invalid', 'valid']),
    ...of('refRemote.json: Location-independent identifier in remote ref', ['integer is valid', 'string is invalid']),
    ...of('refRemote.json: retrieved nested refs resolve relative to their URI not $id', [
      'number is invalid',
      'string is valid',
    ]),
    ...of('refRemote.json: $ref to $ref finds location-independent $id', ['number is valid', 'non-number is invalid']),
  ],
  'draft-07': [
    ...of('refRemote.json: remote ref', ['remote ref valid', 'remote ref invalid']),
    ...of('refRemote.json: fragment within remote ref', ['remote fragment valid', 'remote fragment invalid']),
    ...of('refRemote.json: ref within remote ref', ['ref within ref valid', 'ref within ref invalid']),
    ...of('refRemote.json: base URI change', ['base URI change ref valid', 'base URI change ref invalid']),
    ...of('refRemote.json: base URI change - change folder', ['number is valid', 'string is invalid']),
    ...of('refRemote.json: base URI change - change folder in subschema', ['number is valid', 'string is invalid']),
    ...of('refRemote.json: root ref in remote ref', ['string is valid', 'null is valid', 'object is invalid']),
    ...of('refRemote.json: remote ref with ref to definitions', ['invalid', 'valid']),
    ...of('refRemote.json: Location-independent identifier in remote ref', ['integer is valid', 'string is invalid']),
    ...of('refRemote.json: retrieved nested refs resolve relative to their URI not $id', [
      'number is invalid',
      'string is valid',
    ]),
    ...of('refRemote.json: $ref to $ref finds location-independent $id', ['number is valid', 'non-number is invalid']),
  ],
  '2019-09': [
    ...of('refRemote.json: remote ref', ['remote ref valid', 'remote ref invalid']),
    ...of('refRemote.json: fragment within remote ref', ['remote fragment valid', 'remote fragment invalid']),
    ...of('refRemote.json: anchor within remote ref', ['remote anchor valid', 'remote anchor invalid']),
    ...of('refRemote.json: ref within remote ref', ['ref within ref valid', 'ref within ref invalid']),
    ...of('refRemote.json: base URI change', ['base URI change ref valid', 'base URI change ref invalid']),
    ...of('refRemote.json: base URI change - change folder', ['number is valid', 'string is invalid']),
    ...of('refRemote.json: base URI change - change folder in subschema', ['number is valid', 'string is invalid']),
    ...of('refRemote.json: root ref in remote ref', ['string is valid', 'null is valid', 'object is invalid']),
    ...of('refRemote.json: remote ref with ref to defs', ['invalid', 'valid']),
    ...of('refRemote.json: Location-independent identifier in remote ref', ['integer is valid', 'string is invalid']),
    ...of('refRemote.json: retrieved nested refs resolve relative to their URI not $id', [
      'number is invalid',
      'string is valid',
    ]),
    ...of('refRemote.json: remote HTTP ref with different $id', ['number is invalid', 'string is valid']),
    ...of('refRemote.json: remote HTTP ref with different URN $id', ['number is invalid', 'string is valid']),
    ...of('refRemote.json: remote HTTP ref with nested absolute ref', ['number is invalid', 'string is valid']),
    ...of('refRemote.json: $ref to $ref finds detached $anchor', ['number is valid', 'non-number is invalid']),
    ...of('vocabulary.json: schema that uses custom metaschema with with no validation vocabulary', [
      'no validation: invalid number, but it still validates',
    ]),
  ],
  '2020-12': [
    ...of('dynamicRef.json: strict-tree schema, guards against misspelled properties', [
      'instance with misspelled field',
      'instance with correct field',
    ]),
    ...of('dynamicRef.json: tests for implementation dynamic anchor and reference link', [
      'incorrect parent schema',
      'incorrect extended schema',
      'correct extended schema',
    ]),
    ...of('dynamicRef.json: $ref and $dynamicAnchor are independent of order - $defs first', [
      'incorrect parent schema',
      'incorrect extended schema',
      'correct extended schema',
    ]),
    ...of('dynamicRef.json: $ref and $dynamicAnchor are independent of order - $ref first', [
      'incorrect parent schema',
      'incorrect extended schema',
      'correct extended schema',
    ]),
    ...of('dynamicRef.json: $ref to $dynamicRef finds detached $dynamicAnchor', [
      'number is valid',
      'non-number is invalid',
    ]),
    ...of('refRemote.json: remote ref', ['remote ref valid', 'remote ref invalid']),
    ...of('refRemote.json: fragment within remote ref', ['remote fragment valid', 'remote fragment invalid']),
    ...of('refRemote.json: anchor within remote ref', ['remote anchor valid', 'remote anchor invalid']),
    ...of('refRemote.json: ref within remote ref', ['ref within ref valid', 'ref within ref invalid']),
    ...of('refRemote.json: base URI change', ['base URI change ref valid', 'base URI change ref invalid']),
    ...of('refRemote.json: base URI change - change folder', ['number is valid', 'string is invalid']),
    ...of('refRemote.json: base URI change - change folder in subschema', ['number is valid', 'string is invalid']),
    ...of('refRemote.json: root ref in remote ref', ['string is valid', 'null is valid', 'object is invalid']),
    ...of('refRemote.json: remote ref with ref to defs', ['invalid', 'valid']),
    ...of('refRemote.json: Location-independent identifier in remote ref', ['integer is valid', 'string is invalid']),
    ...of('refRemote.json: retrieved nested refs resolve relative to their URI not $id', [
      'number is invalid',
      'string is valid',
    ]),
    ...of('refRemote.json: remote HTTP ref with different $id', ['number is invalid', 'string is valid']),
    ...of('refRemote.json: remote HTTP ref with different URN $id', ['number is invalid', 'string is valid']),
    ...of('refRemote.json: remote HTTP ref with nested absolute ref', ['number is invalid', 'string is valid']),
    ...of('refRemote.json: $ref to $ref finds detached $anchor', ['number is valid', 'non-number is invalid']),
    ...of('vocabulary.json: schema that uses custom metaschema with with no validation vocabulary', [
      'no validation: invalid number, but it still validates',
    ]),
  ],
};

function of(group: string, tests: readonly string[]): readonly string[] {
  return tests.map((test) => `${group}: ${test}`);
}
