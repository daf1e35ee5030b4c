import { uniqueItems } from '../keywords/arrays/unique-items.js';
import { allOf } from '../keywords/combinators/all-of.js';
import { anyOf } from '../keywords/combinators/any-of.js';
import { conditional, conditionalElse, conditionalThen } from '../keywords/combinators/if.js';
import { not } from '../keywords/combinators/not.js';
import { oneOf } from '../keywords/combinators/one-of.js';
import { maxItems, maxLength, maxProperties, minItems, minLength, minProperties } from '../keywords/counts.js';
import { exclusiveMaximum, exclusiveMinimum, maximum, minimum } from '../keywords/numbers/bounds.js';
import { multipleOf } from '../keywords/numbers/multiple-of.js';
import { additionalProperties } from '../keywords/objects/additional-properties.js';
import { patternProperties } from '../keywords/objects/pattern-properties.js';
import { properties } from '../keywords/objects/properties.js';
import { required } from '../keywords/objects/required.js';
import { pattern } from '../keywords/strings/pattern.js';
import { enumeration } from '../keywords/values/enum.js';
import { type } from '../keywords/values/type.js';

/** What all dialects have in common: assertions about the value itself, */
export const assertions = [
  ...[type, enumeration],
  ...[multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum],
  ...[maxLength, minLength, pattern],
  ...[maxItems, minItems, uniqueItems],
  ...[required, maxProperties, minProperties],
];

/** schemas for the members of an object, */
export const memberSchemas = [properties, patternProperties, additionalProperties];

/** and schemas for the same value; */
export const combinators = [allOf, anyOf, oneOf, not];

/** since draft-07 these, too. */
export const conditions = [conditional, conditionalThen, conditionalElse];
