import { additionalItems } from '../keywords/arrays/additional-items.js';
import { additionalProperties } from '../keywords/objects/additional-properties.js';
import { allOf } from '../keywords/combinators/all-of.js';
import { anyOf } from '../keywords/combinators/any-of.js';
import { maximum, minimum } from '../keywords/numbers/bounds.js';
import { constant } from '../keywords/values/const.js';
import { annotatedContains, maxContains, minContains } from '../keywords/arrays/contains.js';
import { definitions, defs } from '../keywords/references/definitions.js';
import { dependencies } from '../keywords/objects/dependencies.js';
import { dependentRequired } from '../keywords/objects/dependent-required.js';
import { dependentSchemas } from '../keywords/objects/dependent-schemas.js';
import { dynamicRef } from '../keywords/references/dynamic-ref.js';
import { enumeration } from '../keywords/values/enum.js';
import { exclusiveMaximum, exclusiveMinimum } from '../keywords/numbers/exclusive-bounds.js';
import { format } from '../keywords/strings/format.js';
import { conditional, conditionalElse, conditionalThen } from '../keywords/combinators/if.js';
import { maxItems, minItems } from '../keywords/arrays/item-count.js';
import { items } from '../keywords/arrays/items.js';
import { multipleOf } from '../keywords/numbers/multiple-of.js';
import { not } from '../keywords/combinators/not.js';
import { oneOf } from '../keywords/combinators/one-of.js';
import { patternProperties } from '../keywords/objects/pattern-properties.js';
import { pattern } from '../keywords/strings/pattern.js';
import { prefixItems } from '../keywords/arrays/prefix-items.js';
import { properties } from '../keywords/objects/properties.js';
import { maxProperties, minProperties } from '../keywords/objects/property-count.js';
import { propertyNames } from '../keywords/objects/property-names.js';
import { recursiveRef } from '../keywords/references/recursive-ref.js';
import { ref } from '../keywords/references/ref.js';
import { required } from '../keywords/objects/required.js';
import { maxLength, minLength } from '../keywords/strings/string-length.js';
import { type } from '../keywords/values/type.js';
import { unevaluatedItems } from '../keywords/arrays/unevaluated-items.js';
import { unevaluatedProperties } from '../keywords/objects/unevaluated-properties.js';
import { uniqueItems } from '../keywords/arrays/unique-items.js';
import { defineDialect } from './dialect.js';

export const draft202012 = defineDialect({
  name: '2020-12',
  idKeyword: '$id',
  anchorsInId: false,
  refHidesSiblings: false,
  vocabularies: {
    'https://json-schema.org/draft/2020-12/vocab/core': [ref, dynamicRef, defs],
    'https://json-schema.org/draft/2020-12/vocab/applicator': [
      ...[prefixItems, items, annotatedContains],
      ...[properties, patternProperties, additionalProperties, propertyNames],
      ...[dependentSchemas, allOf, anyOf, oneOf, not, conditional, conditionalThen, conditionalElse],
    ],
    'https://json-schema.org/draft/2020-12/vocab/unevaluated': [unevaluatedItems, unevaluatedProperties],
    'https://json-schema.org/draft/2020-12/vocab/validation': [
      ...[type, enumeration, constant],
      ...[multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum],
      ...[maxLength, minLength, pattern],
      ...[maxItems, minItems, uniqueItems, maxContains, minContains],
      ...[maxProperties, minProperties, required, dependentRequired],
    ],
    'https://json-schema.org/draft/2020-12/vocab/format-annotation': [format],
    legacy: [definitions, dependencies, additionalItems, recursiveRef],
  },
});
