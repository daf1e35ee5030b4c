import { additionalItems } from '../keywords/arrays/additional-items.js';
import { items } from '../keywords/arrays/items.js';
import { dependencies } from '../keywords/objects/dependencies.js';
import { definitions } from '../keywords/references/definitions.js';
import { ref } from '../keywords/references/ref.js';
import { format } from '../keywords/strings/format.js';
import { defineDialect } from './dialect.js';
import { assertions, combinators, memberSchemas } from './groups.js';

export const draft04 = defineDialect({
  name: 'draft-04',
  idKeyword: 'id',
  anchorsInId: true,
  refHidesSiblings: true,
  vocabularies: {
    all: [
      ...[ref, definitions, dependencies, items, additionalItems, format],
      ...assertions,
      ...memberSchemas,
      ...combinators,
    ],
  },
});
