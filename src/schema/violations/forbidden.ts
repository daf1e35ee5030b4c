import type { JsonObject } from '../../json/index.js';
import type { Expectation } from './expectation.js';
import { oneOfValues, listed } from './phrases.js';
import { shownText } from '../../secrets/index.js';

/** What a `not` expects, in words where its schema is a simple one. */
export function forbidden(schema: JsonObject): Expectation {
  const keywords = Object.keys(schema);
  const { const: constant, enum: values, required, type } = schema;
  if (keywords.length === 1) {
    if (Object.hasOwn(schema, 'const')) return { expected: `anything but ${shownText(constant)}` };
    if (Array.isArray(values)) return { expected: `anything but ${oneOfValues(values)}` };
    if (typeof type === 'string') return { expected: `anything but ${shownText(type).replaceAll('"', '')}` };
    if (Array.isArray(required)) {
      const names = listed(
        required.map((name) => shownText(name)),
        'and',
      );
      const which = required.length === 1 ? `the property ${names}` : `the properties ${names} together`;
      return { expected: `an object without ${which}`, problem: `must not have ${which}` };
    }
  }
  return { expected: `anything but ${shownText(schema)}` };
}
