import type { FieldType, IExecuteFunctions, ILoadOptionsFunctions, ResourceMapperField } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import {
  type CatalogueTool,
  formArguments,
  type FormField,
  formFields,
  type FormFieldType,
} from '../../../src/index.js';
import { isObject } from '../../../src/json/index.js';
import { withEditorSession } from '../../connection/session.js';
import { errorForEditor } from '../../errors.js';
import { enumerate } from '../../text.js';
import { chosenInPanel } from '../parameters.js';

/** The form for the arguments of the chosen tool, in the order of its schema. */
export async function toolFields(context: ILoadOptionsFunctions): Promise<ResourceMapperField[]> {
  const tool = await chosenTool(context).catch((error: unknown) => {
    throw errorForEditor(context.getNode(), error);
  });
  const fields = tool === undefined ? [] : formFields(tool.inputSchema, { limit: fieldLimit });
  const optional = fields.filter(({ required }) => !required);
  return fields.map((field) => mapperField(field, optional.indexOf(field)));
}

/** Fields that a form has at most; n8n's editor becomes slow with more. */
export const fieldLimit = 100;

/** Optional fields that are shown without being asked for. */
const optionalShown = 20;

/** The arguments that stand in the form. n8n's own checks are passed by: the tool's schema decides. */
export function readForm(context: IExecuteFunctions, itemIndex: number, tool: CatalogueTool): object {
  const form: unknown = context.getNodeParameter('form', itemIndex, {});
  const values = isObject(form) && isObject(form.value) ? form.value : {};
  const fields = formFields(tool.inputSchema);
  refuseSamples(context, itemIndex, fields);
  return formArguments(fields, withoutEmpty(values, fields), { timeZone: context.getTimezone() });
}

/** What the form starts with where JSON has to be written shows how; nobody means it to be sent. */
function refuseSamples(context: IExecuteFunctions, itemIndex: number, fields: readonly FormField[]): void {
  const form: unknown = context.getNode().parameters['form']; // as it was typed: an expression may well give the same value
  const typed = isObject(form) && isObject(form.value) ? form.value : {};
  const untouched = fields.filter((field) => field.name in typed && typed[field.name] === sampleOf(field));
  if (untouched.length === 0) return;
  throw new NodeOperationError(
    context.getNode(),
    `The form still holds sample data: ${enumerate(untouched.map(({ title }) => title))}`,
    {
      description:
        'The tool was not called. Replace the sample with your own value, or remove the field if it is optional. ' +
        'If the sample is what you want to send, give the arguments as JSON.',
      itemIndex,
    },
  );
}

/** The text of the example that a field starts with. An empty object or list may well be meant, and is none. */
function sampleOf({ default: standard, example }: FormField): string | undefined {
  if (standard !== undefined || typeof example !== 'object' || example === null) return undefined;
  return Object.keys(example).length === 0 ? undefined : jsonOf(example);
}

/** n8n writes null into every field that is shown and left empty. It counts only where it must and may be given. */
function withoutEmpty(values: Record<string, unknown>, fields: readonly FormField[]): Record<string, unknown> {
  const nullable = new Set(fields.filter((field) => field.required && field.nullable).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== null || nullable.has(name)));
}

/** Undefined where none is chosen, or by an expression that has no value before the node runs. */
export async function chosenTool(context: ILoadOptionsFunctions): Promise<CatalogueTool | undefined> {
  const name = chosenInPanel(context, 'tool');
  if (name === '') return undefined;
  const { tools } = await withEditorSession(context, (session) => session.listTools());
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new NodeOperationError(context.getNode(), `The server has no tool "${name}"`);
  return tool;
}

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

/**
 * Fields that are added on demand: a switch has no "not set" and would always be sent, and an empty editor for JSON is
 * marked as wrong.
 */
const startsOut = new Set<FormFieldType>(['boolean', 'object', 'array', 'json']);

/** @param place which of the optional fields it is */
function mapperField(field: FormField, place: number): ResourceMapperField {
  const standard = defaultOf(field);
  const isLeftOut = (field.default === undefined && startsOut.has(field.type)) || place >= optionalShown;
  return {
    id: field.name,
    displayName: labelOf(field),
    type: types[field.type],
    required: field.required,
    display: true,
    defaultMatch: false,
    canBeUsedToMatch: false,
    removed: !field.required && isLeftOut,
    ...(field.options ? { options: field.options.map(({ label, key }) => ({ name: label, value: key })) } : {}),
    ...(standard === undefined ? {} : { defaultValue: standard }),
  };
}

/** n8n's form marks nothing as required, and says nothing of types and bounds. The label is short of space. */
function labelOf({ title, required, type, hint, nullable }: FormField): string {
  const takes = nullable ? hint.replace(/ \| null$/, '') : hint;
  const saysItself = ['string', 'any', title.toLowerCase()].includes(takes) || type === 'options' || type === 'boolean';
  return `${title}${required ? ' *' : ''}${saysItself ? '' : ` (${takes})`}`;
}

/** The schema's default, the only choice there is, or a valid example where JSON has to be written. */
function defaultOf(field: FormField): string | number | boolean | undefined {
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
  return JSON.stringify(value, null, 2);
}
