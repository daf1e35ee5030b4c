import { additionalItems } from '../keywords/arrays/additional-items.js';
import { contains, maxContains, minContains } from '../keywords/arrays/contains.js';
import { items } from '../keywords/arrays/items.js';
import { unevaluatedItems } from '../keywords/arrays/unevaluated-items.js';
import { dependencies } from '../keywords/objects/dependencies.js';
import { dependentRequired } from '../keywords/objects/dependent-required.js';
import { dependentSchemas } from '../keywords/objects/dependent-schemas.js';
import { propertyNames } from '../keywords/objects/property-names.js';
import { unevaluatedProperties } from '../keywords/objects/unevaluated-properties.js';
import { definitions, defs } from '../keywords/references/definitions.js';
import { recursiveRef } from '../keywords/references/recursive-ref.js';
import { ref } from '../keywords/references/ref.js';
import { format } from '../keywords/strings/format.js';
import { constant } from '../keywords/values/const.js';
import { defineDialect } from './dialect.js';
import { assertions, combinators, conditions, memberSchemas } from './groups.js';

export const draft201909 = defineDialect({
  name: '2019-09',
  idKeyword: '$id',
  anchorsInId: false,
  refHidesSiblings: false,
  vocabularies: {
    'https://json-schema.org/draft/2019-09/vocab/core': [ref, recursiveRef, defs],
    'https://json-schema.org/draft/2019-09/vocab/applicator': [
      ...[items, additionalItems, contains, unevaluatedItems],
      ...[...memberSchemas, propertyNames, unevaluatedProperties, dependentSchemas],
      ...[...combinators, ...conditions],
    ],
    'https://json-schema.org/draft/2019-09/vocab/validation': [
      ...[...assertions, constant, maxContains, minContains, dependentRequired],
    ],
    'https://json-schema.org/draft/2019-09/vocab/format': [format],
    legacy: [definitions, dependencies],
  },
});
