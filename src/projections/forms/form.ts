import { isObject, jsonText, pointerToken, shortened, type JsonObject } from '../../json/index.js';
import { exampleValue } from '../reading/example.js';
import { typeSignature } from '../reading/signature.js';
import { viewOf, type SchemaView } from '../reading/view.js';

/** `json` takes any JSON; text that is none counts as that text. `object` and `array` take JSON of that kind only. */
export type FormFieldType = 'string' | 'number' | 'boolean' | 'date-time' | 'options' | 'object' | 'array' | 'json';

/** A choice, with the value in its real type, and a text for hosts whose forms carry only text. */
export interface FormOption {
  readonly label: string;
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
 * `anyOf` with null are understood. What a form cannot express is told by {@link formLimits}.
 */
export function formFields(inputSchema: unknown, { limit = Infinity }: FormOptions = {}): FormField[] {
  const fields = allFields(inputSchema);
  if (fields.length <= limit) return fields;
  const kept = new Set(
    [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)].slice(0, limit),
  );
  return fields.filter((field) => kept.has(field));
}

function allFields(inputSchema: unknown): FormField[] {
  const view = viewOf(inputSchema, inputSchema);
  const fields = fieldsOf(view, inputSchema, true);
  const known = new Set(fields.map(({ name }) => name));
  const branches = (view.alternatives ?? []).map((branch) => fieldsOf(viewOf(branch, inputSchema), inputSchema, false));
  const requiredBy = branches.map(
    (branch) => new Set(branch.filter(({ required }) => required).map(({ name }) => name)),
  );
  for (const field of branches.flat()) {
    if (known.has(field.name)) continue;
    known.add(field.name);
    // What one alternative requires, another may not even know.
    const required = requiredBy.every((names) => names.has(field.name));
    fields.push({ ...field, required });
  }
  return fields;
}

/** What the form of a schema cannot express, one sentence each. Arguments given as JSON always can. */
export function formLimits(inputSchema: unknown, { limit = Infinity }: FormOptions = {}): string[] {
  const { schema, alternatives } = viewOf(inputSchema, inputSchema);
  const limits: string[] = [];
  const count = Number.isFinite(limit) ? allFields(inputSchema).length : 0;
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

function fieldsOf(view: SchemaView, root: unknown, isRoot: boolean): FormField[] {
  const properties = isObject(view.schema['properties']) ? view.schema['properties'] : {};
  const named: unknown[] = Array.isArray(view.schema['required']) ? view.schema['required'] : [];
  const required = new Set(named.filter((name) => typeof name === 'string'));
  const names = [...new Set([...Object.keys(properties), ...required])];
  return names
    .filter((name) => !Object.hasOwn(properties, name) || properties[name] !== false)
    .map((name) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : true;
      // Only a property that stands right in the root can be pointed to.
      const rootProperties = isRoot && isObject(root) ? root['properties'] : undefined;
      const isInPlace = isObject(rootProperties) && Object.hasOwn(rootProperties, name);
      return fieldOf(name, schema, root, required.has(name), isInPlace);
    });
}

function fieldOf(name: string, schema: unknown, root: unknown, required: boolean, isInPlace: boolean): FormField {
  const view = viewOf(schema, root);
  const { title, description, default: standard } = view.schema;
  const options = optionsOf(view, root);
  const type = options ? 'options' : typeOf(view, root);
  const isText = type === 'string' || type === 'date-time';
  return {
    name,
    title: typeof title === 'string' && title.trim() !== '' ? title : name,
    type,
    required,
    nullable: view.nullable,
    hint: typeSignature(schema, root),
    ...(typeof description === 'string' && description.trim() !== '' && { description }),
    ...(standard !== undefined && { default: standard }),
    ...(options && { options }),
    ...(type === 'number' && numberLimits(view)),
    ...(isText && typeof view.schema['format'] === 'string' && { format: view.schema['format'] }),
    ...((type === 'object' || type === 'array' || type === 'json') && exampleOf(name, schema, root, isInPlace)),
  };
}

function typeOf(view: SchemaView, root: unknown): FormFieldType {
  const { schema } = view;
  const named = typesOf(view, root);
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
function typesOf({ schema, types, alternatives = [] }: SchemaView, root: unknown): readonly string[] {
  const own = types ?? implied(schema);
  if (own.length > 0 || alternatives.length === 0) return own;
  const each = alternatives.map((branch) => viewOf(branch, root));
  // What offers a choice itself is not looked into any further.
  const named = each.map((view) => (view.alternatives ? [] : (view.types ?? implied(view.schema))));
  return named.some((list) => list.length === 0) ? [] : [...new Set(named.flat())];
}

function implied(schema: JsonObject): string[] {
  if ('properties' in schema) return ['object'];
  return 'items' in schema ? ['array'] : [];
}

/** `enum`, `const`, and the titled constants that generators write as `oneOf`. */
function optionsOf({ schema, nullable, alternatives }: SchemaView, root: unknown): FormOption[] | undefined {
  if ('const' in schema) return [optionOf(schema['const'])];
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return schema['enum'].map((value) => optionOf(value));
  if (alternatives === undefined || alternatives.length === 0) return undefined;
  const views = alternatives.map((branch) => viewOf(branch, root).schema);
  if (!views.every((branch) => 'const' in branch)) return undefined;
  const options = views.map(({ const: value, title }) => optionOf(value, title));
  return nullable ? [...options, optionOf(null)] : options;
}

function optionOf(value: unknown, title?: unknown): FormOption {
  const label = typeof title === 'string' ? title : typeof value === 'string' ? value : jsonText(value);
  return { label, value, key: jsonText(value) };
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

function exampleOf(name: string, schema: unknown, root: unknown, isInPlace: boolean): Partial<FormField> {
  const location = isInPlace ? `/properties/${pointerToken(name)}` : undefined;
  const example = exampleValue(schema, { root, ...(location !== undefined && { location }) });
  return example === undefined ? {} : { example };
}
