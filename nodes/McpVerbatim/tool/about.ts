import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { compileSchema, type FormField, formFields, formLimits, signature } from '../../../src/internal.js';
import { type ForEditor, inertJson, isFieldName, noticeAnswer } from '../../editor/gate.js';
import { bullets, errorText, paragraphs } from '../../editor/notice-text.js';
import { limited } from '../../text.js';
import { toolInPanel } from './chosen-tool.js';
import { fieldLimit, isWithoutDefault } from './form.js';

/** Arguments that the panel describes; more than that, nobody reads beside a form. */
const shown = 15;

/** What the chosen tool does and what its arguments mean: n8n's forms show no descriptions. */
export async function toolNotice(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  return noticeAnswer(await aboutTool(context));
}

async function aboutTool(context: ILoadOptionsFunctions): Promise<string[]> {
  try {
    const tool = await toolInPanel(context);
    if (tool === undefined) return ['The tool is chosen at run time. Give its arguments as JSON.'];
    const { description, inputSchema } = tool;
    const fields = formFields(tool);
    const isForm = context.getNodeParameter('argumentsMode', 'form') === 'form';
    return [
      `<code>${paragraphs(`${tool.name}(${signature(tool, { flat: true, maxLength: 200 })})`, 300)}</code>`,
      paragraphs(description ?? '', 500),
      bullets(limited(fields.filter((field) => field.description).map(isForm ? atField : inJson), shown)),
      ...(isForm ? formLimits(tool, { limit: fieldLimit }).map((limit) => paragraphs(limit, 300)) : []),
      ...(isForm ? keptOut(fields) : []),
      ...faultsOf(inputSchema),
      ...(fields.length === 0 ? ['It takes no arguments.'] : []),
    ];
  } catch (error) {
    return errorText(error);
  }
}

/** Under the name that the form has for it. */
function atField({ title, description = '' }: FormField): string {
  return `<b>${paragraphs(title, 100)}</b>: ${paragraphs(description, 200)}`;
}

/** Under its name in JSON, with what it takes. */
function inJson({ name, required, hint, description = '' }: FormField): string {
  const takes = paragraphs(required ? hint : `${hint}, optional`, 150);
  return `<b>${paragraphs(name, 100)}</b> (${takes}): ${paragraphs(description, 200)}`;
}

/** What keeps arguments from being checked, such as a reference to nothing. */
function faultsOf(inputSchema: object): string[] {
  const errors = compileSchema(inputSchema).diagnostics.filter(({ severity }) => severity === 'error');
  const faults = errors.map(({ schemaLocation, message }) => `${schemaLocation}: ${message}`);
  return listOf("<b>This tool's schema has errors</b>. The parts affected cannot be checked:", faults);
}

/** What the form does not show: see editor/gate.ts. */
function keptOut(fields: readonly FormField[]): string[] {
  const defaults = fields
    .filter((field) => isWithoutDefault(field))
    .map(({ title, default: standard }) => `${title}: ${inertJson(JSON.stringify(standard))}`);
  const names = fields.map(({ name }) => name).filter((name) => !isFieldName(name));
  return [
    ...listOf('These defaults are not filled in, because n8n would evaluate them as expressions:', defaults),
    ...listOf("These arguments can only be given as JSON, because n8n's form cannot hold their names:", names),
  ];
}

function listOf(heading: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  return [heading, bullets(limited(texts, 5).map((text) => paragraphs(text, 200)))];
}
