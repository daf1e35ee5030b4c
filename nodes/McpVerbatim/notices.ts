import { compileSchema, type FormField, formFields, formLimits, type Prompt, signature } from '../../src/internal.js';
import { isList, isObject } from '../../src/json/index.js';
import { withEditorSession } from '../connection/session.js';
import { inertJson, isFieldName } from '../editor/gate.js';
import { bullets, noticeOf, paragraphs } from '../editor/notice-text.js';
import { limited } from '../text.js';
import { argumentsMode } from './description.js';
import { exampleText, fieldLimit, isWithoutDefault } from './form.js';
import { chosenInPanel, toolInPanel } from './parameters.js';

const shown = 15;

/** Describes the chosen tool and its arguments: n8n's forms show no descriptions. */
export const toolNotice = noticeOf(async (context) => {
  const tool = await toolInPanel(context);
  if (tool === undefined) return ['The tool is chosen at run time. Give its arguments as JSON.'];
  const { description, inputSchema } = tool;
  const fields = formFields(tool);
  const isForm = context.getNodeParameter(argumentsMode.name, argumentsMode.default) === 'form';
  return [
    `<code>${paragraphs(`${tool.name}(${signature(tool, { flat: true, maxLength: 200 })})`, 300)}</code>`,
    paragraphs(description ?? '', 500),
    bullets(limited(isForm ? fields.flatMap(atField) : fields.filter((field) => field.description).map(inJson), shown)),
    ...(isForm ? formLimits(tool, { limit: fieldLimit }).map((limit) => paragraphs(limit, 300)) : []),
    ...(isForm ? keptOut(fields) : []),
    ...faultsOf(inputSchema),
    ...(fields.length === 0 ? ['It takes no arguments.'] : []),
  ];
});

/** n8n cuts long labels, so an example stands here. */
function atField(field: FormField): string[] {
  const texts = [field.description ?? '', exampleText(field)].filter((text) => text !== '');
  if (texts.length === 0) return [];
  return [`<b>${paragraphs(field.title, 100)}</b>: ${texts.map((text) => paragraphs(text, 200)).join('; ')}`];
}

function inJson({ name, required, hint, description = '' }: FormField): string {
  const takes = paragraphs(required ? hint : `${hint}, optional`, 150);
  return `<b>${paragraphs(name, 100)}</b> (${takes}): ${paragraphs(description, 200)}`;
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

export const promptNotice = noticeOf(async (context) => {
  const name = chosenInPanel(context, 'prompt');
  if (name === '') return ['The prompt is chosen at run time.'];
  const prompts = await withEditorSession(context, (session) => session.listPrompts());
  const prompt = prompts.find((candidate: Prompt | null) => candidate?.name === name);
  if (prompt === undefined) return [paragraphs(`The server has no prompt "${name}"`, 200)];
  const entries = argumentsOf(prompt);
  const description = typeof prompt.description === 'string' ? paragraphs(prompt.description, 500) : '';
  return [description, bullets(entries), ...(entries.length === 0 ? ['It takes no arguments.'] : [])];
});

function argumentsOf({ arguments: list }: Prompt): string[] {
  const named = (isList(list) ? list : []).filter(isObject).filter(({ name }) => typeof name === 'string');
  return named.slice(0, shown).map(({ name, required, description }) => {
    const optional = required === true ? '' : ' (optional)';
    const what = typeof description === 'string' && description !== '' ? `: ${paragraphs(description, 200)}` : '';
    return `<b>${paragraphs(String(name), 100)}</b>${optional}${what}`;
  });
}
