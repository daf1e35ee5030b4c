import {
  filtered,
  isObject,
  jsonText,
  listOf,
  pointerToken,
  resolveLocalReference,
  shortened,
  walkSchemas,
  type JsonObject,
  type WorkBudget,
} from '../../json/index.js';
import { annotationsOf, plainRoot } from './plain-root.js';
import { combinators, note, type ProviderNote, type ProviderRules } from './provider.js';

/** For Anthropic the projection accepts every object that the original accepts. */
export const anthropic: ProviderRules = {
  notes,
  accepted: (schema, budget) => withLegalNames(plainRoot(schema, combinators, budget), budget),
};

const legalName = /^[a-zA-Z0-9_.-]{1,64}$/;

/** "input_schema does not support oneOf, allOf, or anyOf at the top level" (Anthropic's API). */
function* notes(schema: JsonObject): Generator<ProviderNote> {
  for (const keyword of combinators) {
    if (keyword in schema) {
      const what = `Anthropic refuses "${keyword}" at the root; LangChain silently leaves such a tool out.`;
      yield note('dropped', 'root-combinator', `#/${keyword}`, what);
    }
  }
  for (const name of Object.keys(isObject(schema['properties']) ? schema['properties'] : {})) {
    if (legalName.test(name)) continue;
    const what = `Anthropic refuses the parameter name ${shortened(jsonText(name), 80)}; it takes letters, digits, "_", "." and "-", at most 64.`;
    yield note('refused', 'property-name', `#/properties/${pointerToken(name)}`, what);
  }
}

/**
 * An optional parameter whose name is refused is not shown; the tool is of use without it, and refused with it. What
 * closes the object would then refuse it, and goes as well.
 */
function withLegalNames(schema: JsonObject, budget: WorkBudget): JsonObject {
  const { properties, required } = schema;
  if (!isObject(properties)) return schema;
  const needed = new Set(listOf(required));
  const members = Object.entries(properties);
  const shown = members.filter(([name]) => legalName.test(name) || needed.has(name));
  if (shown.length === members.length) return schema;
  const open = filtered(schema, (keyword) => !closing.includes(keyword));
  const result = { ...open, properties: Object.fromEntries(shown) };
  const whole = shown.map(([name, part]) => [name, withoutLost(part, schema, result, budget)] as const);
  return { ...result, properties: Object.fromEntries<unknown>(whole) };
}

const closing = ['additionalProperties', 'unevaluatedProperties'];

/** Of a part that refers to what is not shown, the annotations remain. */
function withoutLost(part: unknown, before: JsonObject, after: JsonObject, budget: WorkBudget): unknown {
  for (const { schema } of walkSchemas(part, Infinity)) {
    const { $ref } = schema;
    if (!budget.consume()) break;
    if (typeof $ref !== 'string' || resolveLocalReference(after, $ref) !== undefined) continue;
    if (resolveLocalReference(before, $ref) !== undefined) return annotationsOf(isObject(part) ? part : {});
  }
  return part;
}
