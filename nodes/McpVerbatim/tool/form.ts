import type {
  FieldType,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import {
  type CatalogueTool,
  formArguments,
  type FormField,
  formFields,
  type FormFieldType,
  type FormOption,
  FormValueError,
} from '../../../src/internal.js';
import { equals, isList, isObject, parseJson, pointerTokens } from '../../../src/json/index.js';
import { RunTimeCredential } from '../../connection/credential.js';
import { withEditorSession } from '../../connection/session.js';
import { type ForEditor, formAnswer, inertJson, isDefault, textOfValue } from '../../editor/gate.js';
import { errorForEditor, nodeError } from '../../errors.js';
import { enumerate } from '../../text.js';
import { hintList } from '../../hints.js';
import { schemaFaults } from '../../schema-faults.js';
import { chosenInPanel } from '../parameters.js';
import { formError } from './form-error.js';

/** The form for the arguments of the chosen tool, in the order of its schema. */
export async function toolFields(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  const tool = await chosenTool(context).catch((error: unknown) => {
    // The notice says so, and that there is no form.
    if (error instanceof RunTimeCredential) return undefined;
    throw errorForEditor(context.getNode(), error);
  });
  if (tool === undefined) return formAnswer([]);
  const fields = formFields(tool, { limit: fieldLimit });
  const optional = fields.filter(({ required }) => !required);
  const faulty = faultyProperties(tool.inputSchema);
  return formAnswer(fields.map((field) => mapperField(field, optional.indexOf(field), faulty.has(field.name))));
}

/** The properties of the root whose schemas have errors. */
function faultyProperties(inputSchema: object): Set<string | undefined> {
  const locations = schemaFaults(inputSchema).map(({ schemaLocation }) => pointerTokens(schemaLocation));
  return new Set(locations.flatMap(([keyword, name]) => (keyword === 'properties' ? [name] : [])));
}

/** Fields that a form has at most; n8n's editor becomes slow with more. */
export const fieldLimit = 100;

/** Optional fields that are shown without being asked for. */
const optionalShown = 20;

/** The arguments that stand in the form. n8n's own checks are passed by: the tool's schema decides. */
export function readForm(context: IExecuteFunctions, itemIndex: number, tool: CatalogueTool): object {
  refusePlanted(context, itemIndex);
  const form: unknown = context.getNodeParameter('form', itemIndex, {});
  const values = isObject(form) && isObject(form.value) ? form.value : {};
  const fields = formFields(tool);
  const typed = typedValues(context);
  refuseSamples(context, itemIndex, fields, typed);
  hintUnknown(
    context,
    tool,
    Object.keys(typed).filter((name) => !fields.some((field) => field.name === name)),
  );
  try {
    return formArguments(fields, givenValues(values, fields), { timeZone: context.getTimezone() });
  } catch (error) {
    const field = error instanceof FormValueError && fields.find(({ name }) => name === error.field);
    if (!field) throw nodeError(context.getNode(), error, { itemIndex });
    throw formError(context, error, field, typed[field.name], itemIndex);
  }
}

/**
 * Refuses a form in which a server's default is an expression, before n8n evaluates it: an earlier version of this node
 * made it.
 */
function refusePlanted(context: IExecuteFunctions, itemIndex: number): void {
  const planted = [...firstValues(context)].filter(([, value]) => typeof value === 'string' && value.startsWith('='));
  if (planted.length === 0) return;
  throw new NodeOperationError(
    context.getNode(),
    `The form holds expressions that the server wrote: ${enumerate(planted.map(([name]) => String(name)))}`,
    {
      description:
        'The tool was not called. Choose "Refresh argument list" in the menu of Values, and look at what stands in these fields.',
      itemIndex,
    },
  );
}

/** The form keeps what was typed when another server is chosen, whose tool of the same name may take other arguments. */
function hintUnknown(context: IExecuteFunctions, { name }: CatalogueTool, unknown: string[]): void {
  const what = `The form has values for what "${name}" has no arguments for. Choose "Refresh argument list" in the menu of Values`;
  hintList(context, 'warning', what, unknown);
}

/** As they stand in the form: an expression may well give what nobody would type. */
function typedValues(context: IExecuteFunctions): Record<string, unknown> {
  const form: unknown = context.getNode().parameters['form'];
  return isObject(form) && isObject(form.value) ? form.value : {};
}

/**
 * What the form starts with where JSON has to be written shows how; nobody means it to be sent. The form was made of the
 * schema of its day, whose samples it keeps.
 */
function refuseSamples(
  context: IExecuteFunctions,
  itemIndex: number,
  fields: readonly FormField[],
  typed: Readonly<Record<string, unknown>>,
): void {
  const first = firstValues(context);
  const untouched = fields.filter(({ name, default: standard, example }) => {
    const value = objectIn(typed[name]);
    // An empty object or list may well be meant, and is none.
    if (standard !== undefined || value === undefined || Object.keys(value).length === 0) return false;
    return equals(value, example) || equals(value, objectIn(first.get(name)));
  });
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

/** What each field began with when the form was made. */
function firstValues(context: IExecuteFunctions): Map<unknown, unknown> {
  const form: unknown = context.getNode().parameters['form'];
  const schema = isObject(form) && isList(form.schema) ? form.schema.filter(isObject) : [];
  return new Map(schema.map(({ id, defaultValue }) => [id, defaultValue]));
}

/** The object or list in a field of the form, which n8n's editor may have made an expression. */
function objectIn(typed: unknown): object | undefined {
  const value = typeof typed === 'string' ? parseJson(typed.replace(/^=/, '')) : undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}

/**
 * What was typed and chosen. n8n writes null into every field that is shown and left empty: it counts only where it must
 * and may be given.
 */
function givenValues(values: Record<string, unknown>, fields: readonly FormField[]): Record<string, unknown> {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const given = Object.entries(values).filter(([name, value]) => {
    const field = byName.get(name);
    return value !== null || (field?.required && field.nullable);
  });
  const isChoice = (name: string) => byName.get(name)?.type === 'options';
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === 'string' && isChoice(name) ? textOfValue(value) : value]),
  );
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
function mapperField(field: FormField, place: number, isFaulty: boolean): ResourceMapperField {
  const standard = defaultOf(field);
  const isEmpty = field.default === undefined || isWithoutDefault(field);
  const isLeftOut = (isEmpty && startsOut.has(field.type)) || place >= optionalShown;
  return {
    id: field.name,
    displayName: isFaulty ? `${field.title}${field.required ? ' *' : ''} (its schema has errors)` : labelOf(field),
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

/** What a label shows before n8n cuts it, in a panel of the usual width. */
const labelLength = 34;

/** The label is all that n8n shows at a field; a longer description stands above the form. */
export function isDescribedAtField(field: FormField): boolean {
  return field.description !== undefined && labelOf(field).endsWith(field.description);
}

function labelOf(field: FormField): string {
  const label = bareLabel(field);
  if (isWithoutDefault(field)) return `${label} · default not filled in`;
  const whole = `${label} · ${field.description}`;
  return field.description === undefined || whole.length > labelLength ? label : whole;
}

/** n8n's form marks nothing as required, and says nothing of types and bounds. */
function bareLabel({ title, required, type, format, hint, nullable }: FormField): string {
  const takes = format === 'date' ? 'YYYY-MM-DD' : nullable ? hint.replace(/ \| null$/, '') : hint;
  const isSeen = ['options', 'boolean', 'date-time'].includes(type) && format !== 'date';
  const isNamed = format === undefined ? title.toLowerCase() === takes : letters(title).includes(letters(takes));
  const saysItself = isSeen || takes === 'string' || takes === 'any' || isNamed;
  return `${title}${required ? ' *' : ''}${saysItself ? '' : ` (${takes})`}`;
}

/** By these, E-mail is email. */
function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a field does not begin with its default, because n8n would evaluate that. */
export function isWithoutDefault(field: FormField): boolean {
  const { type, default: standard } = field;
  if (type === 'options' || typeof standard !== 'string') return false;
  return !isDefault(types[type], standard);
}

/** The schema's default, the only choice there is, or a valid example where JSON has to be written. */
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

/** JSON as a field of the editor begins with it. */
export function jsonOf(value: unknown): string {
  return inertJson(JSON.stringify(value, null, 2));
}
