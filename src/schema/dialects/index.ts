import { additionalItems, items, prefixItems, unevaluatedItems } from '../keywords/arrays/items.js';
import { annotatedContains, contains, maxContains, minContains, uniqueItems } from '../keywords/arrays/contains.js';
import { combinators, conditions } from '../keywords/combinators.js';
import { countKeywords } from '../keywords/counts.js';
import type { Dialect, Keyword } from '../keywords/keyword.js';
import { exclusiveMaximum, exclusiveMinimum, maximum, minimum, multipleOf } from '../keywords/numbers.js';
import { additionalProperties, propertyNames, unevaluatedProperties } from '../keywords/objects/additional.js';
import { dependencies, dependentRequired, dependentSchemas } from '../keywords/objects/dependent.js';
import { patternProperties, properties, required } from '../keywords/objects/properties.js';
import { definitions, defs, dynamicRef, recursiveRef, ref } from '../keywords/references.js';
import { format } from '../keywords/strings/format.js';
import { pattern } from '../keywords/strings/pattern.js';
import { constant, enumeration, type } from '../keywords/values.js';

/** A dialect: its identifier and its keywords, grouped by vocabulary if it has vocabularies. */
export interface DialectDefinition {
  readonly name: Dialect;
  readonly keywords: ReadonlyMap<string, Keyword>;
  readonly vocabularies: Readonly<Record<string, readonly Keyword[]>>;
  readonly idKeyword: '$id' | 'id';
  /** `$id: "#name"` is how this dialect writes an anchor. */
  readonly anchorsInId: boolean;
  /** Keywords beside `$ref` are ignored (draft-07 and before). */
  readonly refHidesSiblings: boolean;
}

const assertions = [
  ...[type, enumeration, multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum],
  ...[...countKeywords, pattern, uniqueItems, required],
];
const memberSchemas = [properties, patternProperties, additionalProperties];
/** Since 2019-09. */
const applicators = [...memberSchemas, propertyNames, dependentSchemas, ...combinators, ...conditions];
const validation = [...assertions, constant, maxContains, minContains, dependentRequired];

const draft04 = defineDialect('draft-04', {
  idKeyword: 'id',
  anchorsInId: true,
  refHidesSiblings: true,
  vocabularies: {
    all: [
      ...[ref, definitions, dependencies, items, additionalItems, format],
      ...[...assertions, ...memberSchemas, ...combinators],
    ],
  },
});

const draft06 = defineDialect('draft-06', {
  ...draft04,
  idKeyword: '$id',
  vocabularies: { ...draft04.vocabularies, since06: [constant, contains, propertyNames] },
});

const draft07 = defineDialect('draft-07', {
  ...draft06,
  vocabularies: { ...draft06.vocabularies, since07: conditions },
});

const draft201909 = defineDialect('2019-09', {
  idKeyword: '$id',
  anchorsInId: false,
  refHidesSiblings: false,
  vocabularies: {
    'https://json-schema.org/draft/2019-09/vocab/core': [ref, recursiveRef, defs],
    'https://json-schema.org/draft/2019-09/vocab/applicator': [
      ...[items, additionalItems, contains, unevaluatedItems, unevaluatedProperties],
      ...applicators,
    ],
    'https://json-schema.org/draft/2019-09/vocab/validation': validation,
    'https://json-schema.org/draft/2019-09/vocab/format': [format],
    legacy: [definitions, dependencies],
  },
});

const draft202012 = defineDialect('2020-12', {
  ...draft201909,
  vocabularies: {
    'https://json-schema.org/draft/2020-12/vocab/core': [ref, dynamicRef, defs],
    'https://json-schema.org/draft/2020-12/vocab/applicator': [prefixItems, items, annotatedContains, ...applicators],
    'https://json-schema.org/draft/2020-12/vocab/unevaluated': [unevaluatedItems, unevaluatedProperties],
    'https://json-schema.org/draft/2020-12/vocab/validation': validation,
    'https://json-schema.org/draft/2020-12/vocab/format-annotation': [format],
    legacy: [definitions, dependencies, additionalItems, recursiveRef],
  },
});

export const dialects: Readonly<Record<Dialect, DialectDefinition>> = {
  'draft-04': draft04,
  'draft-06': draft06,
  'draft-07': draft07,
  '2019-09': draft201909,
  '2020-12': draft202012,
};

/** The dialect that a `$schema` names: `http` and `https`, with and without an empty fragment, are the same. */
export function dialectByUri(uri: string): DialectDefinition | undefined {
  const [, name = ''] = /^(?:https?:\/\/)?json-schema\.org\/(draft[/-][\d-]+)\/schema#?$/.exec(uri) ?? [];
  return Object.values(dialects).find((each) => name === each.name || name === `draft/${each.name}`);
}

/** The dialect without the vocabularies that a meta-schema's `$vocabulary` leaves out; core always stays. */
export function withVocabularies(dialect: DialectDefinition, wanted: object): DialectDefinition {
  const isKept = (uri: string) => !uri.startsWith('https:') || uri.endsWith('/core') || Object.hasOwn(wanted, uri);
  const kept = Object.entries(dialect.vocabularies).filter(([uri]) => isKept(uri));
  return defineDialect(dialect.name, { ...dialect, vocabularies: Object.fromEntries(kept) });
}

function defineDialect(name: Dialect, definition: Omit<DialectDefinition, 'name' | 'keywords'>): DialectDefinition {
  const all = Object.values(definition.vocabularies).flat();
  return { ...definition, name, keywords: new Map(all.map((keyword) => [keyword.name, keyword])) };
}
