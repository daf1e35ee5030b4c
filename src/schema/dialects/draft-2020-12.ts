import { additionalItems } from '../keywords/additional-items.js';
import { additionalProperties } from '../keywords/additional-properties.js';
import { allOf } from '../keywords/all-of.js';
import { anyOf } from '../keywords/any-of.js';
import { maximum, minimum } from '../keywords/bounds.js';
import { constant } from '../keywords/const.js';
import { annotatedContains, maxContains, minContains } from '../keywords/contains.js';
import { definitions, defs } from '../keywords/definitions.js';
import { dependencies } from '../keywords/dependencies.js';
import { dependentRequired } from '../keywords/dependent-required.js';
import { dependentSchemas } from '../keywords/dependent-schemas.js';
import { dynamicRef } from '../keywords/dynamic-ref.js';
import { enumeration } from '../keywords/enum.js';
import { exclusiveMaximum, exclusiveMinimum } from '../keywords/exclusive-bounds.js';
import { format } from '../keywords/format.js';
import { conditional, conditionalElse, conditionalThen } from '../keywords/if.js';
import { maxItems, minItems } from '../keywords/item-count.js';
import { items } from '../keywords/items.js';
import { multipleOf } from '../keywords/multiple-of.js';
import { not } from '../keywords/not.js';
import { oneOf } from '../keywords/one-of.js';
import { patternProperties } from '../keywords/pattern-properties.js';
import { pattern } from '../keywords/pattern.js';
import { prefixItems } from '../keywords/prefix-items.js';
import { properties } from '../keywords/properties.js';
import { maxProperties, minProperties } from '../keywords/property-count.js';
import { propertyNames } from '../keywords/property-names.js';
import { recursiveRef } from '../keywords/recursive-ref.js';
import { ref } from '../keywords/ref.js';
import { required } from '../keywords/required.js';
import { maxLength, minLength } from '../keywords/string-length.js';
import { type } from '../keywords/type.js';
import { unevaluatedItems } from '../keywords/unevaluated-items.js';
import { unevaluatedProperties } from '../keywords/unevaluated-properties.js';
import { uniqueItems } from '../keywords/unique-items.js';
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
