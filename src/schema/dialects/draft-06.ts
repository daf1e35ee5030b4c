import { constant } from '../keywords/values/const.js';
import { contains } from '../keywords/arrays/contains.js';
import { propertyNames } from '../keywords/objects/property-names.js';
import { defineDialect } from './dialect.js';
import { draft04 } from './draft-04.js';

export const draft06 = defineDialect({
  ...draft04,
  name: 'draft-06',
  idKeyword: '$id',
  vocabularies: { ...draft04.vocabularies, since06: [constant, contains, propertyNames] },
});
