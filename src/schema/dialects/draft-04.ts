import { additionalItems } from '../keywords/arrays/additional-items.js';
import { additionalProperties } from '../keywords/objects/additional-properties.js';
import { allOf } from '../keywords/combinators/all-of.js';
import { anyOf } from '../keywords/combinators/any-of.js';
import { definitions } from '../keywords/references/definitions.js';
import { dependencies } from '../keywords/objects/dependencies.js';
import { enumeration } from '../keywords/values/enum.js';
import { exclusiveMaximum, exclusiveMinimum } from '../keywords/numbers/exclusive-bounds.js';
import { format } from '../keywords/strings/format.js';
import { items } from '../keywords/arrays/items.js';
import { maxItems, minItems } from '../keywords/arrays/item-count.js';
import { maximum, minimum } from '../keywords/numbers/bounds.js';
import { multipleOf } from '../keywords/numbers/multiple-of.js';
import { not } from '../keywords/combinators/not.js';
import { oneOf } from '../keywords/combinators/one-of.js';
import { pattern } from '../keywords/strings/pattern.js';
import { patternProperties } from '../keywords/objects/pattern-properties.js';
import { properties } from '../keywords/objects/properties.js';
import { maxProperties, minProperties } from '../keywords/objects/property-count.js';
import { ref } from '../keywords/references/ref.js';
import { required } from '../keywords/objects/required.js';
import { maxLength, minLength } from '../keywords/strings/string-length.js';
import { type } from '../keywords/values/type.js';
import { uniqueItems } from '../keywords/arrays/unique-items.js';
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
