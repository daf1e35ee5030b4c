import { isObject } from '../../../json/index.js';
import { defineKeyword } from '../keyword.js';
import { and, VALID } from '../verdict.js';
import { type Companions, companionsOf, requireCompanions } from './dependent-required.js';
import { applyWherePresent, conditionalSchemas, type ConditionalSchemas } from './dependent-schemas.js';

/** draft-07 validation, 6.5.7: `dependentRequired` and `dependentSchemas` in one; later dialects leave it undefined. */
export const dependencies = defineKeyword<{ readonly companions: Companions; readonly schemas: ConditionalSchemas }>({
  name: 'dependencies',
  compile(value, at) {
    if (!isObject(value)) return at.malformed('an object of schemas and arrays of property names');
    const named = Object.keys(value).filter((name) => !Array.isArray(value[name]));
    return { companions: companionsOf(value), schemas: conditionalSchemas(value, named, at) };
  },
  evaluate(bound, instance, context, evaluated) {
    if (!isObject(instance)) return VALID;
    const { companions, schemas } = bound.value;
    const first = requireCompanions(bound, companions, instance, context);
    return and(first, applyWherePresent(schemas, instance, context, evaluated));
  },
});
