import { additionalItems } from '../keywords/additional-items.js';
import { additionalProperties } from '../keywords/additional-properties.js';
import { allOf } from '../keywords/all-of.js';
import { anyOf } from '../keywords/any-of.js';
import { definitions } from '../keywords/definitions.js';
import { dependencies } from '../keywords/dependencies.js';
import { enumeration } from '../keywords/enum.js';
import { exclusiveMaximum, exclusiveMinimum } from '../keywords/exclusive-bounds.js';
import { format } from '../keywords/format.js';
import { items } from '../keywords/items.js';
import { maxItems, minItems } from '../keywords/item-count.js';
import { maximum, minimum } from '../keywords/bounds.js';
import { multipleOf } from '../keywords/multiple-of.js';
import { not } from '../keywords/not.js';
import { oneOf } from '../keywords/one-of.js';
import { pattern } from '../keywords/pattern.js';
import { patternProperties } from '../keywords/pattern-properties.js';
import { properties } from '../keywords/properties.js';
import { maxProperties, minProperties } from '../keywords/property-count.js';
import { ref } from '../keywords/ref.js';
import { required } from '../keywords/required.js';
import { maxLength, minLength } from '../keywords/string-length.js';
import { type } from '../keywords/type.js';
import { uniqueItems } from '../keywords/unique-items.js';
import { defineDialect } from './dialect.js';

export const draft04 = defineDialect({
  name: 'draft-04',
  idKeyword: 'id',
  anchorsInId: true,
  refHidesSiblings: true,
  vocabularies: {
    all: [
      ...[ref, definitions],
      ...[type, enumeration, multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum],
      ...[maxLength, minLength, pattern, format],
      ...[items, additionalItems, maxItems, minItems, uniqueItems],
      ...[properties, patternProperties, additionalProperties, required, maxProperties, minProperties, dependencies],
      ...[allOf, anyOf, oneOf, not],
    ],
  },
});
