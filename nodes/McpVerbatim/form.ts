import type {
  FieldType,
  ILoadOptionsFunctions,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';
import type { FormField, FormFieldType, FormOption } from '../../src/internal.js';
import { exampleValue, formFields, modelTools } from '../../src/internal.js';
import { RunTimeCredential } from '../connection/server.js';
import { type ForEditor, formAnswer, inertJson, isDefault } from '../editor/gate.js';
import { onlyField } from '../editor/form-description.js';
import { errorForEditor } from '../errors.js';
import { toolInPanel } from './parameters.js';

export async function toolFields(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  const tool = await toolInPanel(context).catch((error: unknown) => {
    // The notice says so, and that there is no form.
    if (error instanceof RunTimeCredential) return undefined;
    throw errorForEditor(context.getNode(), error);
  });
  if (tool === undefined) return formAnswer([]);
  const fields = formFields(tool, { limit: fieldLimit });
  const optional = fields.filter(({ required }) => !required);
  return formAnswer(fields.map((field) => mapperField(field, optional.indexOf(field))));
}

/** Begins with an example; is there as well where the server does not answer or the tool is chosen at run time. */
export async function jsonField(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  const tool = await toolInPanel(context).catch(() => undefined);
  const takesAny = tool !== undefined && formFields(tool).length > 0;
  const example = jsonOf(takesAny ? exampleValue(tool) : {});
  return formAnswer([onlyField({ id: 'arguments', displayName: 'Arguments', type: 'object', defaultValue: example })]);
}

export async function toolDescription(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  const tool = await toolInPanel(context).catch(() => undefined);
  const own = tool && modelTools([tool])[0]?.description;
  const field = { id: 'description', displayName: 'What the Tool Does', type: 'string' } as const;
  return formAnswer([onlyField({ ...field, ...(own !== undefined && { defaultValue: own }) })]);
}

/** Fields that a form has at most; n8n's editor becomes slow with more. */
export const fieldLimit = 100;

const optionalShown = 20;

const types: Record<FormFieldType, FieldType> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  'date-time': 'dateTime',
  options: 'options',
  object: 'object',
  array: 'array',
  json: 'string',
};

/** Added on demand: a switch has no "not set" and would always be sent; an empty editor for JSON is marked as wrong. */
const startsOut = new Set<FormFieldType>(['boolean', 'object', 'array', 'json']);

function mapperField(field: FormField, place: number): ResourceMapperField {
  const standard = defaultOf(field);
  const isEmpty = field.default === undefined || isWithoutDefault(field);
  const isLeftOut = (isEmpty && startsOut.has(field.type)) || place >= optionalShown;
  return {
    id: field.name,
    displayName: labelOf(field),
    // n8n's picker of moments would ask for a time as well.
    type: field.format === 'date' ? 'string' : types[field.type],
    required: field.required,
    display: true,
    defaultMatch: false,
    canBeUsedToMatch: false,
    removed: !field.required && isLeftOut,
    ...(field.options ? { options: field.options.map(choiceOf) } : {}),
    ...(standard === undefined ? {} : { defaultValue: standard }),
  };
}

function choiceOf({ label, key, description }: FormOption): INodePropertyOptions {
  return { name: label, value: key, ...(description !== undefined && { description }) };
}

/** n8n's form marks nothing as required, and shows neither types nor bounds. */
function labelOf(field: FormField): string {
  const { title, required, type, format, hint } = field;
  const takes = format === 'date' ? 'YYYY-MM-DD' : hint.replace(/ \| null$/, '');
  const isSeen = ['options', 'boolean', 'date-time'].includes(type) && format !== 'date';
  const saysItself = isSeen || takes === 'string' || takes === 'any' || title.toLowerCase() === takes;
  return `${title}${required ? ' *' : ''}${saysItself ? '' : ` (${takes})`}${isWithoutDefault(field) ? ' · default not filled in' : ''}`;
}

/** Whether a field does not begin with its default, because n8n would evaluate that. */
export function isWithoutDefault({ type, default: standard }: FormField): boolean {
  return type !== 'options' && typeof standard === 'string' && !isDefault(types[type], standard);
}

function defaultOf(field: FormField): string | number | boolean | undefined {
  if (isWithoutDefault(field)) return undefined;
  const [only, ...others] = field.required ? (field.options ?? []) : [];
  if (only !== undefined && others.length === 0) return only.key;
  const example = typeof field.example === 'object' && field.example !== null ? field.example : undefined;
  const value = field.default ?? example;
  if (value === undefined) return undefined;
  if (field.type === 'options') return field.options?.find((option) => option.key === JSON.stringify(value))?.key;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return jsonOf(value);
}

function jsonOf(value: unknown): string {
  return inertJson(JSON.stringify(value, null, 2));
}
