import { conditions } from './groups.js';
import { defineDialect } from './dialect.js';
import { draft06 } from './draft-06.js';

export const draft07 = defineDialect({
  ...draft06,
  name: 'draft-07',
  vocabularies: { ...draft06.vocabularies, since07: conditions },
});
