import { compileSchema, type FormField, formFields, formLimits, signature } from '../../src/internal.js';
import { inertJson, isFieldName } from '../editor/gate.js';
import { bullets, noticeOf, paragraphs, shownText } from '../editor/notice-text.js';
import { limited } from '../text.js';
import { argumentsMode } from './description.js';
import { exampleText, fieldLimit, isWithoutDefault } from './form.js';
import { toolInPanel } from './parameters.js';

/** Limits of the form, and errors in the tool's schema. */
export const toolNotice = noticeOf(async (context) => {
  const tool = await toolInPanel(context);
  const isForm = context.getNodeParameter(argumentsMode.name, argumentsMode.default) === 'form';
  if (tool === undefined) return isForm ? ['The tool is chosen at run time. Give its arguments as JSON.'] : [];
  const fields = formFields(tool);
  const limits = formLimits(tool, { limit: fieldLimit }).map((limit) => paragraphs(limit, 300));
  return [
    ...(isForm ? [...limits, ...keptOut(fields)] : []),
    ...faultsOf(tool.inputSchema),
    ...(isForm && fields.length === 0 ? ['It takes no arguments.'] : []),
  ];
});

/** The meaning of the tool and its arguments: n8n's forms show no descriptions. */
export const toolHelp = shownText(async (context) => {
  const tool = await toolInPanel(context);
  if (tool === undefined) return ['The tool is chosen at run time.'];
  return [
    paragraphs(tool.description ?? '', 500),
    bullets(limited(formFields(tool).flatMap(meaning), 15)),
    `<code>${paragraphs(`${tool.name}(${signature(tool, { flat: true, maxLength: 200 })})`, 300)}</code>`,
  ];
});

function meaning(field: FormField): string[] {
  const texts = [field.description ?? '', exampleText(field)].filter((text) => text !== '');
  if (texts.length === 0) return [];
  return [`<b>${paragraphs(field.title, 100)}</b>: ${texts.map((text) => paragraphs(text, 200)).join('; ')}`];
}

function faultsOf(inputSchema: object): string[] {
  const errors = compileSchema(inputSchema).diagnostics.filter(({ severity }) => severity === 'error');
  const faults = errors.map(({ schemaLocation, message }) => `${schemaLocation}: ${message}`);
  return listOf("<b>This tool's schema has errors</b>. The parts affected cannot be checked:", faults);
}

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
