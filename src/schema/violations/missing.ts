import { isObject, quote } from '../../json/index.js';
import type { Expectation } from './expectation.js';
import { listed } from './phrases.js';

/** A required property that is missing, with the type that its schema beside asks for. */
export function missingProperty(property: string, schema: unknown): Expectation {
  const type = typeOfProperty(property, schema);
  const phrase = `property ${quote(property)}${type ? ` (${type})` : ''}`;
  return { expected: phrase, problem: `must have ${phrase}, which is missing`, property };
}

function typeOfProperty(property: string, schema: unknown): string | undefined {
  if (!isObject(schema) || !isObject(schema['properties']) || !Object.hasOwn(schema['properties'], property))
    return undefined;
  const declared = schema['properties'][property];
  const type = isObject(declared) ? declared['type'] : undefined;
  if (typeof type === 'string') return type.slice(0, 20);
  if (Array.isArray(type) && type.length <= 7) return listed(type.map((name) => String(name).slice(0, 20)));
  return undefined;
}
