import type { ZodType } from 'zod';
import type * as zod4 from 'zod4';
import { filtered, isObject, listOf, propertiesOf, resolveLocalReference } from '../../json/index.js';
import { inlineReferences, mostParts, toJson } from './inline-references.js';
import { type Root, type Zod, zodArguments, type ZodContext } from './type.js';

/**
 * A real Zod type of the host's Zod that returns the original schema when it is asked for JSON Schema, and accepts every
 * value through: the original schema decides, when the tool is called.
 *
 * n8n's agents replace any schema that is not an instance of their own ZodType by a lossy conversion; LangChain (core
 * 1.2 and later) asks a schema for its Standard JSON Schema (`~standard.jsonSchema`) before it converts anything
 * itself. Nodes that read only Zod find the same schema there, as far as Zod can express it.
 */
export function schemaFacade(original: object, context: ZodContext): ZodType {
  const z4 = zod4In(context.z);
  return z4
    ? zod4Facade(original, z4)
    : zod3Facade(zodArguments(original, rootOf(original), context), original, descriptionLines(original));
}

function zod3Facade(body: ZodType, original: object, description: readonly string[]): ZodType {
  return dressed(body.describe(description.join('\n')), original, {
    // Every parse method of Zod 3, of this type and of types it is put into, ends here.
    _parse: (input: { data: unknown }) => ({ status: 'valid', value: input.data }),
    // Zod finds these out by parsing, and every value passes here. Arguments are an object.
    isOptional: () => false,
    isNullable: () => false,
    describe: (text: string) => zod3Facade(body, original, [text, ...descriptionLines(original)]),
  });
}

type Zod4 = typeof zod4.z;

/** Its type does not say so: the host's packages are typed as Zod 3's. */
function zod4In(z: Zod): Zod4 | undefined {
  return '_zod' in z.any() ? (z as unknown as Zod4) : undefined; // by what only Zod 4's types have
}

/**
 * For hosts with Zod 4, which asks every type for a JSON Schema of its own (`_zod.toJSONSchema`) before it makes one,
 * so that nothing has to be expressed in Zod's terms. References are inlined, because they would point elsewhere inside
 * another schema. The shape has the properties' names, with types that accept anything.
 */
function zod4Facade(original: object, z: Zod4): ZodType {
  const { schema: whole } = inlineReferences(original, { root: original, left: mostParts });
  const anything = z.unknown();
  const names = Object.keys(propertiesOf(isObject(whole) ? whole : {}));
  const shape = Object.fromEntries(names.map((name) => [name, anything]));
  return facade() as unknown as ZodType; // see zod4In

  function facade(description?: string): zod4.ZodType {
    const type = z.looseObject(shape);
    // Zod's own `describe` returns a type that refers to the original, which is then asked as well.
    if (description !== undefined) z.globalRegistry.add(type, { description });
    // Every parse method, of this type and of types it is put into, ends in one of these two.
    type._zod.run = (payload) => payload;
    type._zod.parse = (payload) => payload;
    // Zod writes into the returned schema. A recursive schema ends at its first repetition.
    type._zod.toJSONSchema = () => toJson(whole, () => undefined); // of an object
    return dressed(type, original, { describe: facade });
  }
}

/** Adds members to the type in place of Zod's own. They are not enumerable. */
function dressed<Type extends { '~standard': object }>(type: Type, original: object, own: object): Type {
  const standard = {
    ...type['~standard'],
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => original, output: () => original },
  };
  for (const [name, value] of Object.entries({ ...own, '~standard': standard }))
    Object.defineProperty(type, name, { value, configurable: true, writable: true, enumerable: false });
  return type;
}

/**
 * The original as it is, but an instance of the host's ZodType, so that n8n's agents leave it alone. For hosts whose
 * LangChain does not know Standard JSON Schema: there, a value without a Zod definition reaches the model
 * unchanged. Nothing of Zod is visible on it, neither by name nor in its JSON.
 */
export function plainSchema(original: object, z: Zod): object {
  // `instanceof` goes by this mark alone in Zod 4.
  if (zod4In(z))
    return Object.defineProperty({ ...original }, '_zod', { value: { traits: new Set(['$ZodType', 'ZodType']) } });
  const ofZod = Object.getOwnPropertyNames(z.ZodType.prototype);
  // The original's own keys, `description` for instance, keep their place among the members.
  const hidden = ofZod.filter((name) => name !== 'constructor' && !Object.hasOwn(original, name));
  return Object.create(z.ZodType.prototype, {
    ...Object.fromEntries(hidden.map((name) => [name, { value: undefined, configurable: true }])),
    ...Object.getOwnPropertyDescriptors(original),
  }) as object; // of its prototype
}

type Keywords = Record<string, unknown>;

/** The schema's own description, and a text for root keywords that Zod does not have. */
function descriptionLines(original: object): string[] {
  const { properties, required, keywords } = rootOf(original);
  const { description, additionalProperties } = keywords;
  const texts = typeof description === 'string' && description !== '' ? [description] : [];
  const rest = Object.entries(keywords).filter(([keyword]) => forObjects.has(keyword));
  const unnamed = required.filter((name) => typeof name !== 'string' || !Object.hasOwn(properties, name));
  if (unnamed.length > 0) rest.push(['required', unnamed]);
  if (rest.length === 0) return texts;
  // The neighbouring keywords decide which values these two apply to.
  if ('patternProperties' in keywords || 'unevaluatedProperties' in keywords) {
    rest.unshift(['properties', Object.fromEntries(Object.keys(properties).map((name) => [name, true]))]);
    if (additionalProperties !== undefined) rest.push(['additionalProperties', additionalProperties]);
  }
  return [...texts, `Must also match this JSON Schema: ${text(Object.fromEntries(rest), original)}`];
}

/** Keywords that constrain an object as a whole. Other root keywords, such as `title`, constrain nothing. */
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

/** The root, or its target if it is a reference (as generators often write it). */
function rootOf(original: object): Root {
  let root = original as Keywords; // JSON of the server
  for (let steps = 0; typeof root['$ref'] === 'string' && steps < 16; steps++) {
    const { $ref, ...beside } = root;
    const target = resolveLocalReference(original, $ref);
    root = { ...(isObject(target) ? target : {}), ...beside };
  }
  const { required } = root;
  const keywords = filtered(root, (keyword) => keyword !== 'properties' && keyword !== 'required');
  return { properties: propertiesOf(root), required: listOf(required), keywords };
}

/**
 * A schema that n8n's Agents send to a model unchanged, and check nothing with: the original decides when the tool is
 * called. A plain JSON Schema they would check with Ajv, before any repair; so this has the methods by which they
 * recognise Zod (@n8n/agents, utils/parse.js). Vercel's AI SDK decides what the providers' packages
 * get. It takes an object with its own mark for a JSON Schema as it stands (@ai-sdk/provider-utils, `asSchema`).
 */
export function uncheckedSchema(sent: object): object {
  const valid = (data: unknown) => ({ success: true, data });
  return {
    safeParse: valid,
    safeParseAsync: async (data: unknown) => await Promise.resolve(valid(data)),
    toJSONSchema: () => sent,
    _def: {},
    [Symbol.for('vercel.ai.schema')]: true,
    jsonSchema: sent,
    validate: (value: unknown) => ({ success: true, value }),
  };
}
