import type {
  FieldType,
  ILoadOptionsFunctions,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';
import type { FormField, FormFieldType, FormOption } from '../../src/internal.js';
import { exampleValue, formFields, modelTools } from '../../src/internal.js';
import { shortened } from '../../src/json/index.js';
import { RunTimeCredential } from '../connection/server.js';
import { type ForEditor, formAnswer, inertJson, isDefault } from '../editor/gate.js';
import { onlyField } from '../editor/form-description.js';
import { errorForEditor } from '../errors.js';
import { toolInPanel } from './parameters.js';

export async function toolFields(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  const tool = await toolInPanel(context).catch((error: unknown) => {
    // The notice explains that there is no form.
    if (error instanceof RunTimeCredential) return undefined;
    throw errorForEditor(context.getNode(), error);
  });
  if (tool === undefined) return formAnswer([]);
  const fields = formFields(tool, { limit: fieldLimit });
  return formAnswer(fields.map((field) => mapperField(field, field.required || fields.length <= mostShown)));
}

/** One field that begins with an example. It is `{}` if the server does not answer or the tool is chosen at run time. */
export async function jsonField(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  const tool = await toolInPanel(context).catch(() => undefined);
  const example = jsonOf(tool && formFields(tool).length > 0 ? exampleValue(tool) : {});
  return formAnswer([onlyField({ id: 'arguments', displayName: 'Arguments', type: 'object', defaultValue: example })]);
}

export async function toolDescription(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  const tool = await toolInPanel(context).catch(() => undefined);
  const own = tool && modelTools([tool])[0]?.description;
  const field = { id: 'description', displayName: 'What the Tool Does', type: 'string' } as const;
  return formAnswer([onlyField({ ...field, ...(own !== undefined && { defaultValue: own }) })]);
}

/** The most fields of a form: with more, n8n's editor becomes slow. */
export const fieldLimit = 100;

/** A form shows all of up to this many arguments. If there are more, optional ones are added on demand. */
const mostShown = 10;

function typeFor(type: FormFieldType): FieldType {
  return type === 'date-time' ? 'dateTime' : type === 'json' ? 'string' : type;
}

function mapperField(field: FormField, isShown: boolean): ResourceMapperField {
  const standard = defaultOf(field);
  const type = fieldType(field, standard === undefined);
  const options = type === 'options' ? (field.options?.map(choiceOf) ?? yesOrNo) : undefined;
  return {
    ...onlyField({ id: field.name, displayName: labelOf(field), type }),
    required: field.required,
    removed: !isShown,
    ...(options && { options }),
    ...(standard !== undefined && { defaultValue: standard }),
  };
}

/** n8n sends an empty switch as false, marks an empty JSON editor as wrong, and its date picker requires a time. */
function fieldType({ type, format, required }: FormField, isEmpty: boolean): FieldType {
  if (format === 'date') return 'string';
  if (required || !isEmpty) return typeFor(type);
  return type === 'boolean' ? 'options' : type === 'object' || type === 'array' ? 'string' : typeFor(type);
}

const yesOrNo: INodePropertyOptions[] = [true, false].map((value) => ({ name: String(value), value }));

function choiceOf({ label, key, description }: FormOption): INodePropertyOptions {
  return { name: label, value: key, ...(description !== undefined && { description }) };
}

/** n8n's form marks nothing as required, and shows neither types nor bounds. */
function labelOf(field: FormField): string {
  const { title, required, type, format, hint } = field;
  const json = type === 'object' || type === 'array' ? 'JSON ' : '';
  const takes = format === 'date' ? 'YYYY-MM-DD' : json + hint.replace(/ \| null$/, '').replace('..', ' to ');
  const isSeen = ['options', 'boolean', 'date-time'].includes(type) && format !== 'date';
  const saysItself = isSeen || takes === 'string' || takes === 'any' || title.toLowerCase() === takes;
  return `${title}${required ? ' *' : ''}${saysItself ? '' : ` (${takes})`}${isWithoutDefault(field) ? ' · default not filled in' : ''}`;
}

/** An example, unless the field begins with one. */
export function exampleText({ required, default: standard, example }: FormField): string {
  if (required || standard !== undefined || typeof example !== 'object' || example === null) return '';
  return `for example ${shortened(JSON.stringify(example), 100)}`;
}

/** True if a field does not begin with its default, because n8n would evaluate it. */
export function isWithoutDefault({ type, default: standard }: FormField): boolean {
  return type !== 'options' && typeof standard === 'string' && !isDefault(typeFor(type), standard);
}

function defaultOf(field: FormField): string | number | boolean | undefined {
  if (isWithoutDefault(field)) return undefined;
  const [only, ...others] = field.required ? (field.options ?? []) : [];
  if (only !== undefined && others.length === 0) return only.key;
  const value =
    field.default ?? (field.required && typeof field.example === 'object' ? (field.example ?? undefined) : undefined);
  if (value === undefined) return undefined;
  if (field.type === 'options') return field.options?.find((option) => option.key === JSON.stringify(value))?.key;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return jsonOf(value);
}

function jsonOf(value: unknown): string {
  return inertJson(JSON.stringify(value, null, 2));
}
