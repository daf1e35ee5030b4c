import type { AnyZodObject, ZodRawShape } from 'zod';
import { isObject, resolveLocalReference } from '../../json/index.js';
import { inlineReferences, mostParts, toJson } from './inline-references.js';
import { rawAnyOf } from './primitives.js';
import { mostProperties, shapeOf, withOthers, zodType, type ZodContext } from './type.js';

type Keywords = Record<string, unknown>;

/**
 * An input schema as a Zod object, which is all that hosts and providers take at the root. Its properties are made when
 * somebody looks at them, which agents do not.
 */
export function zodArguments(original: object, context: ZodContext): AnyZodObject {
  const { z } = context;
  const source = { root: original, left: mostParts };
  const typeOf = (schema: unknown, name = '') => {
    const { schema: whole, isRecursive } = inlineReferences(schema, source);
    if (!isRecursive) return zodType(whole, context, name);
    // Hosts do not escape names in the pointers that they make.
    return rawAnyOf([/[~/%]/.test(name) ? toJson(whole, () => undefined) : whole], z);
  };
  const root = rootOf(original);
  const { properties, required } = Object.keys(root.properties).length > mostProperties ? unlimited : root;
  let shape: ZodRawShape | undefined;
  const type = z.late.object(() => (shape ??= shapeOf(properties, required, typeOf)));
  return withOthers(type, properties === root.properties ? others(root.keywords) : true, typeOf);
}

/** The schema's own description, and in words what Zod has no keyword for at the root. */
export function descriptionLines(original: object): string[] {
  const { properties, required, keywords } = rootOf(original);
  const { description, additionalProperties } = keywords;
  const texts = typeof description === 'string' && description !== '' ? [description] : [];
  const rest = Object.entries(keywords).filter(([keyword]) => forObjects.has(keyword));
  const unnamed = required.filter((name) => typeof name !== 'string' || !Object.hasOwn(properties, name));
  if (unnamed.length > 0) rest.push(['required', unnamed]);
  if (rest.length === 0) return texts;
  // What these two hold for depends on what stands beside them.
  if ('patternProperties' in keywords || 'unevaluatedProperties' in keywords) {
    rest.unshift(['properties', Object.fromEntries(Object.keys(properties).map((name) => [name, true]))]);
    if (additionalProperties !== undefined) rest.push(['additionalProperties', additionalProperties]);
  }
  return [...texts, `Must also match this JSON Schema: ${text(Object.fromEntries(rest), original)}`];
}

/** Keywords that hold for an object as a whole. Others at the root, such as `title`, say nothing of what is allowed. */
const forObjects: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'enum', 'const'],
  ...['patternProperties', 'propertyNames', 'minProperties', 'maxProperties', 'unevaluatedProperties'],
  ...['dependencies', 'dependentRequired', 'dependentSchemas'],
]);

function text(schema: Keywords, root: object): string {
  const json = JSON.stringify(toJson(inlineReferences(schema, { root, left: longestText / 4 }).schema, () => '#'));
  return json.length > longestText ? `${json.slice(0, longestText)}…` : json;
}

const longestText = 20_000;

interface Root {
  readonly properties: Keywords;
  readonly required: readonly unknown[];
  readonly keywords: Keywords;
}

const unlimited: Pick<Root, 'properties' | 'required'> = { properties: {}, required: [] };

/** The root, and where it is a reference (a common output of generators), what that leads to. */
function rootOf(original: object): Root {
  let root = original as Keywords; // JSON of the server
  for (let steps = 0; typeof root['$ref'] === 'string' && steps < 16; steps++) {
    const { $ref, ...beside } = root;
    const target = resolveLocalReference(original, $ref);
    root = { ...(isObject(target) ? target : {}), ...beside };
  }
  const { properties, required, ...keywords } = root;
  return {
    properties: isObject(properties) ? properties : {},
    required: Array.isArray(required) ? required : [],
    keywords,
  };
}

/** What holds for all properties that are not listed, their names aside. */
function others({ patternProperties, additionalProperties }: Keywords): unknown {
  if (!isObject(patternProperties) || additionalProperties === undefined || additionalProperties === true)
    return additionalProperties;
  const ways = [...Object.values(patternProperties), ...(additionalProperties === false ? [] : [additionalProperties])];
  return ways.length > 1 ? { anyOf: ways } : (ways[0] ?? false);
}
