import type {
  FieldType,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { CatalogueTool, FormField, FormFieldType } from '../../../src/index.js';
import { withEditorSession } from '../../connection/session.js';
import { errorForEditor } from '../../errors.js';
import { library } from '../../library.js';
import { plainText } from '../../plainText.js';

export const resourceMapping = {
  /** The form for the arguments of the chosen tool, in the order of its schema. */
  async getToolFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
    const { formFields, formLimits } = await library();
    const name = String(this.getNodeParameter('tool', '', { extractValue: true }) ?? '').trim();
    if (name === '') return { fields: [] };
    const tool = await findTool(this, name);
    const limits = formLimits(tool.inputSchema);
    return {
      fields: formFields(tool.inputSchema).map(mapperField),
      ...(limits.length > 0 ? { emptyFieldsNotice: plainText(limits.join(' ')) } : {}),
    };
  },
};

/** The arguments that stand in the form. n8n's own checks are passed by: the tool's schema decides. */
export async function readForm(context: IExecuteFunctions, itemIndex: number, tool: CatalogueTool): Promise<object> {
  const { formArguments, formFields } = await library();
  const form: unknown = context.getNodeParameter('form', itemIndex, {});
  const values = isRecord(form) && isRecord(form.value) ? form.value : {};
  const fields = formFields(tool.inputSchema);
  return formArguments(fields, withoutEmpty(values, fields));
}

/** n8n writes null into every field that is shown and left empty. It counts only where it must and may be given. */
function withoutEmpty(values: Record<string, unknown>, fields: readonly FormField[]): Record<string, unknown> {
  const nullable = new Set(fields.filter((field) => field.required && field.nullable).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== null || nullable.has(name)));
}

async function findTool(context: ILoadOptionsFunctions, name: string): Promise<CatalogueTool> {
  const { tools } = await withEditorSession(context, (session) => session.listTools()).catch((error: unknown) => {
    throw errorForEditor(context.getNode(), error);
  });
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

function mapperField(field: FormField): ResourceMapperField {
  const standard = defaultOf(field);
  return {
    id: field.name,
    displayName: `${field.title} (${field.hint})`,
    type: types[field.type],
    required: field.required,
    display: true,
    defaultMatch: false,
    canBeUsedToMatch: false,
    removed: !field.required && standard === undefined && startsOut.has(field.type),
    ...(field.options ? { options: field.options.map(({ label, key }) => ({ name: label, value: key })) } : {}),
    ...(standard === undefined ? {} : { defaultValue: standard }),
  };
}

/** The schema's default, or a valid example where JSON has to be written into a required field. */
function defaultOf(field: FormField): string | number | boolean | undefined {
  const isJson = field.type === 'object' || field.type === 'array' || field.type === 'json';
  const value = field.default ?? (isJson && field.required ? field.example : undefined);
  if (value === undefined || value === null) return undefined;
  if (field.type === 'options') return field.options?.find((option) => option.key === JSON.stringify(value))?.key;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value, null, 2);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
