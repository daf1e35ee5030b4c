import type { JsonObject } from '../../json/index.js';
import { grouped, isObject, jsonText, listOf, propertiesOf, requiredOf, shortened } from '../../json/index.js';
import { startReading, valuesOf, viewOf, type Reading, type SchemaView } from '../../schema/index.js';
import { partExample } from '../reading/example.js';
import { typeSignature } from '../reading/signature.js';
import { impliedType, numberBounds } from '../reading/walk.js';

/** `json` takes text and JSON, as the schema has it. `object` and `array` take JSON of that kind only. */
export type FormFieldType = 'string' | 'number' | 'boolean' | 'date-time' | 'options' | 'object' | 'array' | 'json';

/** A choice. */
export interface FormOption {
  readonly label: string;
  readonly description?: string;
  readonly value: unknown;
  /** The value's JSON text, for forms that carry only text; `formArgumentsText` takes it for the value. */
  readonly key: string;
}

/** One field of a form for a tool's arguments. */
export interface FormField {
  /** The argument's own name. */
  readonly name: string;
  readonly title: string;
  readonly type: FormFieldType;
  readonly required: boolean;
  /** True if null is a value of its own, besides leaving the field out. */
  readonly nullable: boolean;
  /** A short description of the accepted values: `integer 0..150 | null`. */
  readonly hint: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly options?: readonly FormOption[];
  /** True if a number must be whole. */
  readonly integer?: boolean;
  /** The least and the greatest number, both included. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** The format asked of a text, such as `date` or `email`. */
  readonly format?: string;
  /** For `object`, `array` and `json`: a value that the schema accepts; absent if none was found. */
  readonly example?: unknown;
  /** For `json`: the schema of all arguments, by which `formArgumentsText` reads typed text. */
  readonly inputSchema?: unknown;
}

/** How large a form may be. */
export interface FormOptions {
  /** Fields at most; the required ones go first. Default: no limit. */
  readonly limit?: number;
}

/**
 * The form for a tool's arguments: one field for each property, in the schema's order. References, `allOf` and
 * `anyOf` with null are understood. {@link formLimits} lists the parts that a form cannot express. If a schema takes
 * too long to read, the remaining fields take any JSON.
 */
export function formFields(
  { inputSchema }: { readonly inputSchema: unknown },
  { limit = Infinity }: FormOptions = {},
): FormField[] {
  const reading = startReading(inputSchema);
  const slots = slotsOf(viewOf(inputSchema, reading), reading);
  const kept = new Set([...slots].sort((a, b) => Number(b.required) - Number(a.required)).slice(0, limit));
  return slots.filter((slot) => kept.has(slot)).map((slot) => fieldOf(slot, reading));
}

type Slot = Pick<FormField, 'name' | 'required'> & { readonly schema: unknown };

function slotsOf(view: SchemaView, reading: Reading): Slot[] {
  const slots = new Map(slotsIn(view, reading).map((slot) => [slot.name, slot]));
  const branches = (view.alternatives ?? []).map((branch) => slotsIn(viewOf(branch, reading), reading));
  const requiring = branches.flat().filter(({ required }) => required);
  const requiredBy = grouped(requiring, ({ name }) => name);
  for (const slot of branches.flat()) {
    // One alternative may require a property that another does not know.
    const required = requiredBy.get(slot.name)?.length === branches.length;
    if (!slots.has(slot.name)) slots.set(slot.name, { ...slot, required });
  }
  return [...slots.values()];
}

function slotsIn({ schema }: SchemaView, { budget }: Reading): Slot[] {
  const [properties, required] = [propertiesOf(schema), new Set(requiredOf(schema))];
  const names = [...new Set([...Object.keys(properties), ...required])];
  budget.consume(names.length);
  return names.flatMap((name) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : true;
    return own === false ? [] : [{ name, schema: own, required: required.has(name) }];
  });
}

/** The parts of a schema that the form cannot express, one sentence each. Arguments given as JSON always can. */
export function formLimits(
  { inputSchema }: { readonly inputSchema: unknown },
  { limit = Infinity }: FormOptions = {},
): string[] {
  const reading = startReading(inputSchema);
  const view = viewOf(inputSchema, reading);
  const { patternProperties, additionalProperties } = view.schema;
  const count = slotsOf(view, reading).length;
  const branches = (view.alternatives ?? []).length;
  const patterns = Object.keys(isObject(patternProperties) ? patternProperties : {});
  const named = patterns.slice(0, 5).map((pattern) => shortened(pattern, 60));
  const isOpen = isObject(additionalProperties) || additionalProperties === true;
  const conditions = conditional.filter((keyword) => keyword in view.schema);
  const asJson = 'can only be given as JSON';
  const limits = [
    reading.budget.exhausted && `The schema is too large to be read whole; what the form does not show ${asJson}.`,
    count > limit && `The form shows ${limit} of ${count} arguments, the required ones first; the others ${asJson}.`,
    branches > 1 &&
      `The arguments must satisfy one of ${branches} alternatives; the form shows the fields of all of them.`,
    patterns.length > 0 && `Further arguments whose names match ${named.join(' or ')} ${asJson}.`,
    isOpen && `Further arguments of any name ${asJson}.`,
    conditions.length > 0 &&
      `Which arguments go together is not shown (${conditions.join(', ')}); it is checked when the tool is called.`,
  ];
  return limits.filter((limit) => limit !== false);
}

const conditional = ['if', 'not', 'dependentRequired', 'dependentSchemas', 'dependencies'];

function fieldOf({ name, schema, required }: Slot, reading: Reading): FormField {
  const view = viewOf(schema, reading);
  const { title, description, default: standard, format, minimum, maximum } = view.schema;
  const options = optionsOf(view, reading);
  const type = options ? 'options' : typeOf(view, reading);
  const takesJson = type === 'object' || type === 'array' || type === 'json';
  const example = takesJson ? partExample(schema, reading) : undefined;
  const integer = view.types?.includes('integer') === true && !view.types.includes('number');
  return {
    name,
    title: typeof title === 'string' && title.trim() !== '' ? title : name,
    type,
    required,
    nullable: view.nullable,
    hint: typeSignature(schema, reading),
    ...(typeof description === 'string' && description.trim() !== '' && { description }),
    ...(standard !== undefined && { default: standard }),
    ...(options && { options }),
    ...(type === 'number' && { integer, ...numberBounds(integer ? view.schema : { minimum, maximum }, integer) }),
    ...((type === 'string' || type === 'date-time') && typeof format === 'string' && { format }),
    ...(example !== undefined && { example }),
    ...(type === 'json' && { inputSchema: reading.root }),
  };
}

function typeOf(view: SchemaView, reading: Reading): FormFieldType {
  const { format } = view.schema;
  const named = typesOf(view, reading).map((type) => (type === 'integer' ? 'number' : type));
  const [type, other] = new Set(named);
  if (other !== undefined) return 'json';
  if (type === 'string') return format === 'date-time' || format === 'date' ? 'date-time' : 'string';
  return type === 'number' || type === 'boolean' || type === 'object' || type === 'array' ? type : 'json';
}

function typesOf({ schema, types, alternatives = [] }: SchemaView, reading: Reading): readonly string[] {
  const own = types ?? [impliedType(schema) ?? []].flat();
  if (own.length > 0) return own;
  const each = alternatives.map((branch) => viewOf(branch, reading));
  // Alternatives within an alternative are not read any further.
  const named = each.map((view) => (view.alternatives ? [] : (view.types ?? [impliedType(view.schema) ?? []].flat())));
  return named.some((list) => list.length === 0) ? [] : named.flat();
}

function optionsOf(view: SchemaView, reading: Reading): FormOption[] | undefined {
  const options: FormOption[] = [];
  for (const constant of constantsOf(view, reading)) {
    const option = optionOf(constant);
    if (!reading.budget.consume(1 + (option.key.length >> 6))) return undefined;
    options.push(option);
  }
  if (options.length === 0) return undefined;
  const labels = grouped(options, ({ label }) => label);
  // `1` and `"1"` look alike otherwise.
  return options.map((option) => (labels.get(option.label)?.length === 1 ? option : { ...option, label: option.key }));
}

function constantsOf({ schema, nullable, alternatives = [] }: SchemaView, reading: Reading): readonly JsonObject[] {
  // Titles of 2025-06-18, Elicitation.
  const titles = listOf(schema['enumNames']);
  const listed = valuesOf(schema);
  if (listed) return listed.map((value, index) => ({ const: value, title: titles[index] }));
  const branches = alternatives.map((branch) => viewOf(branch, reading).schema);
  if (!branches.every((branch) => 'const' in branch)) return [];
  return nullable && branches.length > 0 ? [...branches, { const: null }] : branches;
}

function optionOf({ const: value, title, description }: JsonObject): FormOption {
  const label = typeof title === 'string' ? title : typeof value === 'string' ? value : jsonText(value);
  return { label, ...(typeof description === 'string' && { description }), value, key: jsonText(value) };
}
