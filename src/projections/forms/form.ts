import { isObject, jsonText, shortened, type JsonObject } from '../../json/index.js';
import { partExample } from '../reading/example.js';
import { typeSignature } from '../reading/signature.js';
import { startReading, viewOf, type Reading, type SchemaView } from '../../schema/index.js';

/** `json` takes any JSON; text that is none counts as that text. `object` and `array` take JSON of that kind only. */
export type FormFieldType = 'string' | 'number' | 'boolean' | 'date-time' | 'options' | 'object' | 'array' | 'json';

/** A choice, with the value in its real type, and a text for hosts whose forms carry only text. */
export interface FormOption {
  readonly label: string;
  readonly description?: string;
  readonly value: unknown;
  /** The value's JSON text; `formArguments` takes it for the value. */
  readonly key: string;
}

/** One field of a form for a tool's arguments. Host-neutral. */
export interface FormField {
  /** The argument's own name. */
  readonly name: string;
  readonly title: string;
  readonly type: FormFieldType;
  readonly required: boolean;
  /** Whether null is a value of its own, besides leaving the field out. */
  readonly nullable: boolean;
  /** What the field takes, in short: `integer 0..150 | null`. */
  readonly hint: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly options?: readonly FormOption[];
  /** Whether a number must be whole. */
  readonly integer?: boolean;
  /** The least and the greatest number, both included. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** The format asked of a text, such as `date` or `email`. */
  readonly format?: string;
  /** For `object`, `array` and `json`: a value that the schema accepts, where one was found. */
  readonly example?: unknown;
}

/** How large a form may be. */
export interface FormOptions {
  /** How many fields the form has at most; the required ones go first. Default: no limit. */
  readonly limit?: number;
}

/**
 * The form for a tool's arguments: one field for each property, in the schema's order. References, `allOf` and
 * `anyOf` with null are understood. {@link formLimits} says what a form cannot express. Of a schema that takes
 * too long to read, the fields that remain take any JSON.
 */
export function formFields(
  { inputSchema }: { readonly inputSchema: unknown },
  { limit = Infinity }: FormOptions = {},
): FormField[] {
  const reading = startReading(inputSchema);
  return shownOf(slotsOf(viewOf(inputSchema, reading), reading), limit).map((slot) => fieldOf(slot, reading));
}

/** The required ones first, in the schema's order. */
function shownOf(slots: readonly Slot[], limit: number): readonly Slot[] {
  if (slots.length <= limit) return slots;
  const byNeed = [...slots.filter(({ required }) => required), ...slots.filter(({ required }) => !required)];
  const kept = new Set(byNeed.slice(0, limit));
  return slots.filter((slot) => kept.has(slot));
}

/** A property that a form has a field for. */
interface Slot {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
}

/** Those of the whole, then those that alternatives add. */
function slotsOf(view: SchemaView, reading: Reading): Slot[] {
  const slots = propertiesOf(view, reading);
  const branches = (view.alternatives ?? []).map((branch) => propertiesOf(viewOf(branch, reading), reading));
  const known = new Set(slots.map(({ name }) => name));
  const requiredBy = new Map<string, number>();
  for (const { name, required } of branches.flat()) if (required) requiredBy.set(name, (requiredBy.get(name) ?? 0) + 1);
  for (const { name, schema } of branches.flat()) {
    if (known.has(name)) continue;
    known.add(name);
    // What one alternative requires, another may not even know.
    slots.push({ name, schema, required: requiredBy.get(name) === branches.length });
  }
  return slots;
}

function propertiesOf({ schema }: SchemaView, { budget }: Reading): Slot[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const named: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const required = new Set(named.filter((name) => typeof name === 'string'));
  const names = [...new Set([...Object.keys(properties), ...required])];
  budget.consume(names.length);
  return names
    .map((name) => ({
      name,
      schema: Object.hasOwn(properties, name) ? properties[name] : true,
      required: required.has(name),
    }))
    .filter((slot) => slot.schema !== false);
}

/** What the form of a schema cannot express, one sentence each. Arguments given as JSON always can. */
export function formLimits(
  { inputSchema }: { readonly inputSchema: unknown },
  { limit = Infinity }: FormOptions = {},
): string[] {
  const reading = startReading(inputSchema);
  const view = viewOf(inputSchema, reading);
  const { schema, alternatives } = view;
  const limits: string[] = [];
  const count = slotsOf(view, reading).length;
  if (reading.budget.exhausted)
    limits.push('The schema is too large to be read whole; what the form does not show can only be given as JSON.');
  if (count > limit)
    limits.push(
      `The form shows ${limit} of ${count} arguments, the required ones first; the others can only be given as JSON.`,
    );
  const branches = (alternatives ?? []).length;
  if (branches > 1)
    limits.push(
      `The arguments must satisfy one of ${branches} alternatives; the form shows the fields of all of them.`,
    );
  const patterns = isObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : [];
  if (patterns.length > 0) {
    const named = patterns.slice(0, 5).map((pattern) => shortened(pattern, 60));
    limits.push(`Further arguments whose names match ${named.join(' or ')} can only be given as JSON.`);
  }
  if (isObject(schema['additionalProperties']) || schema['additionalProperties'] === true) {
    limits.push('Further arguments of any name can only be given as JSON.');
  }
  const conditions = ['if', 'not', 'dependentRequired', 'dependentSchemas', 'dependencies'].filter(
    (keyword) => keyword in schema,
  );
  if (conditions.length > 0)
    limits.push(
      `Which arguments go together is not shown (${conditions.join(', ')}); it is checked when the tool is called.`,
    );
  return limits;
}

function fieldOf({ name, schema, required }: Slot, reading: Reading): FormField {
  const view = viewOf(schema, reading);
  const { title, description, default: standard } = view.schema;
  const options = optionsOf(view, reading);
  const type = options ? 'options' : typeOf(view, reading);
  const isText = type === 'string' || type === 'date-time';
  const takesJson = type === 'object' || type === 'array' || type === 'json';
  const example = takesJson ? partExample(schema, reading) : undefined;
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
    ...(type === 'number' && numberLimits(view)),
    ...(isText && typeof view.schema['format'] === 'string' && { format: view.schema['format'] }),
    ...(example !== undefined && { example }),
  };
}

function typeOf(view: SchemaView, reading: Reading): FormFieldType {
  const { schema } = view;
  const named = typesOf(view, reading);
  if (named.length === 2 && named.includes('integer') && named.includes('number')) return 'number';
  if (named.length !== 1) return 'json';
  switch (named[0]) {
    case 'string':
      return schema['format'] === 'date-time' || schema['format'] === 'date' ? 'date-time' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'object':
    case 'array':
      return named[0];
    default:
      return 'json';
  }
}

/** Those that are named or implied; where alternatives are to be chosen from, those of all of them. */
function typesOf({ schema, types, alternatives = [] }: SchemaView, reading: Reading): readonly string[] {
  const own = types ?? implied(schema);
  if (own.length > 0 || alternatives.length === 0) return own;
  const each = alternatives.map((branch) => viewOf(branch, reading));
  // Alternatives within an alternative are not read any further.
  const named = each.map((view) => (view.alternatives ? [] : (view.types ?? implied(view.schema))));
  return named.some((list) => list.length === 0) ? [] : [...new Set(named.flat())];
}

function implied(schema: JsonObject): string[] {
  if ('properties' in schema) return ['object'];
  return 'items' in schema ? ['array'] : [];
}

/** `enum`, `const`, and the titled constants that generators write as `oneOf`. */
function optionsOf(view: SchemaView, reading: Reading): FormOption[] | undefined {
  const options: FormOption[] = [];
  for (const constant of constantsOf(view, reading)) {
    const option = optionOf(constant);
    if (!reading.budget.consume(1 + (option.key.length >> 6))) return undefined;
    options.push(option);
  }
  return options.length > 0 ? options : undefined;
}

function constantsOf({ schema, nullable, alternatives = [] }: SchemaView, reading: Reading): readonly JsonObject[] {
  if ('const' in schema) return [{ const: schema['const'] }];
  if (Array.isArray(schema['enum'])) {
    // Titles of 2025-06-18, Elicitation.
    const titles: unknown[] = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
    return schema['enum'].map((value: unknown, index) => ({ const: value, title: titles[index] }));
  }
  const branches = alternatives.map((branch) => viewOf(branch, reading).schema);
  if (!branches.every((branch) => 'const' in branch)) return [];
  return nullable && branches.length > 0 ? [...branches, { const: null }] : branches;
}

function optionOf({ const: value, title, description }: JsonObject): FormOption {
  const label = typeof title === 'string' ? title : typeof value === 'string' ? value : jsonText(value);
  return { label, ...(typeof description === 'string' && { description }), value, key: jsonText(value) };
}

function numberLimits({ schema, types }: SchemaView): Partial<FormField> {
  const integer = types?.includes('integer') === true && !types.includes('number');
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const low = typeof exclusiveMinimum === 'number' && integer ? Math.floor(exclusiveMinimum) + 1 : minimum;
  const high = typeof exclusiveMaximum === 'number' && integer ? Math.ceil(exclusiveMaximum) - 1 : maximum;
  return {
    integer,
    ...(typeof low === 'number' && { minimum: low }),
    ...(typeof high === 'number' && { maximum: high }),
  };
}
