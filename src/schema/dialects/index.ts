import { additionalItems } from '../keywords/arrays/additional-items.js';
import { annotatedContains, contains, maxContains, minContains } from '../keywords/arrays/contains.js';
import { items } from '../keywords/arrays/items.js';
import { prefixItems } from '../keywords/arrays/prefix-items.js';
import { unevaluatedItems } from '../keywords/arrays/unevaluated-items.js';
import { uniqueItems } from '../keywords/arrays/unique-items.js';
import { allOf } from '../keywords/combinators/all-of.js';
import { anyOf } from '../keywords/combinators/any-of.js';
import { conditional, conditionalElse, conditionalThen } from '../keywords/combinators/if.js';
import { not } from '../keywords/combinators/not.js';
import { oneOf } from '../keywords/combinators/one-of.js';
import { maxItems, maxLength, maxProperties, minItems, minLength, minProperties } from '../keywords/counts.js';
import type { Dialect, Keyword } from '../keywords/keyword.js';
import { exclusiveMaximum, exclusiveMinimum, maximum, minimum } from '../keywords/numbers/bounds.js';
import { multipleOf } from '../keywords/numbers/multiple-of.js';
import { additionalProperties } from '../keywords/objects/additional-properties.js';
import { dependencies } from '../keywords/objects/dependencies.js';
import { dependentRequired } from '../keywords/objects/dependent-required.js';
import { dependentSchemas } from '../keywords/objects/dependent-schemas.js';
import { patternProperties } from '../keywords/objects/pattern-properties.js';
import { properties } from '../keywords/objects/properties.js';
import { propertyNames } from '../keywords/objects/property-names.js';
import { required } from '../keywords/objects/required.js';
import { unevaluatedProperties } from '../keywords/objects/unevaluated-properties.js';
import { definitions, defs } from '../keywords/references/definitions.js';
import { dynamicRef } from '../keywords/references/dynamic-ref.js';
import { recursiveRef } from '../keywords/references/recursive-ref.js';
import { ref } from '../keywords/references/ref.js';
import { format } from '../keywords/strings/format.js';
import { pattern } from '../keywords/strings/pattern.js';
import { constant } from '../keywords/values/const.js';
import { enumeration } from '../keywords/values/enum.js';
import { type } from '../keywords/values/type.js';

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
  ...[maxLength, minLength, pattern, maxItems, minItems, uniqueItems, required, maxProperties, minProperties],
];
const memberSchemas = [properties, patternProperties, additionalProperties];
const combinators = [allOf, anyOf, oneOf, not];
const conditions = [conditional, conditionalThen, conditionalElse];
/** Since 2019-09. */
const applicators = [...memberSchemas, propertyNames, dependentSchemas, ...combinators, ...conditions];
const validation = [...assertions, constant, maxContains, minContains, dependentRequired];

const draft04 = defineDialect({
  name: 'draft-04',
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

const draft06 = defineDialect({
  ...draft04,
  name: 'draft-06',
  idKeyword: '$id',
  vocabularies: { ...draft04.vocabularies, since06: [constant, contains, propertyNames] },
});

const draft07 = defineDialect({
  ...draft06,
  name: 'draft-07',
  vocabularies: { ...draft06.vocabularies, since07: conditions },
});

const draft201909 = defineDialect({
  name: '2019-09',
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

const draft202012 = defineDialect({
  ...draft201909,
  name: '2020-12',
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
  const kept = Object.entries(dialect.vocabularies).filter(
    ([uri]) => !uri.startsWith('https:') || uri.endsWith('/core') || Object.hasOwn(wanted, uri),
  );
  return defineDialect({ ...dialect, vocabularies: Object.fromEntries(kept) });
}

function defineDialect(definition: Omit<DialectDefinition, 'keywords'>): DialectDefinition {
  const all = Object.values(definition.vocabularies).flat();
  return { ...definition, keywords: new Map(all.map((keyword) => [keyword.name, keyword])) };
}
