import { isObject } from '../../json/index.js';
import { defineKeyword } from '../keyword.js';
import type { SchemaNode } from '../node.js';
import { forbidden } from '../violations/forbidden.js';
import { not as negated } from '../verdict.js';

/** core, 10.2.1.4 */
export const not = defineKeyword<SchemaNode>({
  name: 'not',
  subschemas: 'value',
  compile: (value, at) => at.schemaOf(value),
  evaluate: ({ value }, instance, run) => negated(run.try(value, instance).verdict),
  expected: ({ value }) => forbidden(isObject(value.schema) ? value.schema : {}),
});
