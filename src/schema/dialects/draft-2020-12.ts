import { additionalItems } from '../keywords/arrays/additional-items.js';
import { annotatedContains, maxContains, minContains } from '../keywords/arrays/contains.js';
import { items } from '../keywords/arrays/items.js';
import { prefixItems } from '../keywords/arrays/prefix-items.js';
import { unevaluatedItems } from '../keywords/arrays/unevaluated-items.js';
import { dependencies } from '../keywords/objects/dependencies.js';
import { dependentRequired } from '../keywords/objects/dependent-required.js';
import { dependentSchemas } from '../keywords/objects/dependent-schemas.js';
import { propertyNames } from '../keywords/objects/property-names.js';
import { unevaluatedProperties } from '../keywords/objects/unevaluated-properties.js';
import { definitions, defs } from '../keywords/references/definitions.js';
import { dynamicRef } from '../keywords/references/dynamic-ref.js';
import { recursiveRef } from '../keywords/references/recursive-ref.js';
import { ref } from '../keywords/references/ref.js';
import { format } from '../keywords/strings/format.js';
import { constant } from '../keywords/values/const.js';
import { defineDialect } from './dialect.js';
import { assertions, combinators, conditions, memberSchemas } from './groups.js';

export const draft202012 = defineDialect({
  name: '2020-12',
  idKeyword: '$id',
  anchorsInId: false,
  refHidesSiblings: false,
  vocabularies: {
    'https://json-schema.org/draft/2020-12/vocab/core': [ref, dynamicRef, defs],
    'https://json-schema.org/draft/2020-12/vocab/applicator': [
      ...[prefixItems, items, annotatedContains],
      ...[...memberSchemas, propertyNames, dependentSchemas],
      ...[...combinators, ...conditions],
    ],
    'https://json-schema.org/draft/2020-12/vocab/unevaluated': [unevaluatedItems, unevaluatedProperties],
    'https://json-schema.org/draft/2020-12/vocab/validation': [
      ...[...assertions, constant, maxContains, minContains, dependentRequired],
    ],
    'https://json-schema.org/draft/2020-12/vocab/format-annotation': [format],
    legacy: [definitions, dependencies, additionalItems, recursiveRef],
  },
});
