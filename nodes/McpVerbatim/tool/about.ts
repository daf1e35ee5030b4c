import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { exampleValue, type FormField, formFields, formLimits, modelTools, signature } from '../../../src/internal.js';
import { type ForEditor, formAnswer, inertJson, isFieldName, noticeAnswer } from '../../editor/gate.js';
import { bullets, errorText, paragraphs } from '../../editor/notice-text.js';
import { schemaFaults } from '../../schema-faults.js';
import { limited, more } from '../../text.js';
import { askedWith } from '../asked-with.js';
import { chosenTool, fieldLimit, isDescribedAtField, isWithoutDefault } from './form.js';

/** Arguments of which the panel tells; more than that, nobody reads beside a form. */
const shown = 15;

/** What the chosen tool does and what its arguments mean: n8n's forms show no descriptions. */
export async function toolNotice(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  return noticeAnswer([...(await aboutTool(context)), askedWith(context, 'tool')]);
}

/** What the chosen tool says of itself, for a model that uses the node as a tool. */
export async function toolDescription(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  const tool = await chosenTool(context).catch(() => undefined);
  const field = { id: 'description', displayName: 'What the Tool Does', type: 'string', required: true } as const;
  const own = tool && modelTools([tool])[0]?.description;
  return formAnswer([
    { ...field, display: true, defaultMatch: false, ...(own !== undefined && { defaultValue: own }) },
  ]);
}

async function aboutTool(context: ILoadOptionsFunctions): Promise<string[]> {
  try {
    const tool = await chosenTool(context);
    if (tool === undefined) return ['The tool is chosen at run time. Give its arguments as JSON.'];
    const { description } = tool;
    const fields = formFields(tool);
    const isForm = context.getNodeParameter('argumentsMode', 'form') === 'form';
    // Since version 1.2 the field begins with it.
    const example = isForm || context.getNode().typeVersion >= 1.2 ? undefined : exampleValue(tool);
    const about = [
      `<code>${paragraphs(`${tool.name}(${signature(tool, { flat: true, maxLength: 200 })})`, 300)}</code>`,
      paragraphs(description ?? '', 500),
      bullets(isForm ? described(fields) : spelledOut(fields)),
      ...(isForm ? formLimits(tool, { limit: fieldLimit }).map((limit) => paragraphs(limit, 300)) : []),
      ...(isForm ? keptOut(fields) : []),
      ...faultsOf(tool.inputSchema),
      ...(fields.length === 0 ? ['It takes no arguments.'] : []),
      ...(example === undefined || fields.length === 0 ? [] : [`For example:<br><code>${onOneLine(example)}</code>`]),
    ];
    return about;
  } catch (error) {
    return errorText(error);
  }
}

function faultsOf(inputSchema: object): string[] {
  const faults = schemaFaults(inputSchema);
  if (faults.length === 0) return [];
  const each = faults.map(({ schemaLocation, message }) => paragraphs(`${schemaLocation}: ${message}`, 200));
  return ["<b>This tool's schema has errors</b>. The parts affected cannot be checked:", bullets(limited(each, 5))];
}

/** What the form does not show: see editor/gate.ts. */
function keptOut(fields: readonly FormField[]): string[] {
  const defaults = fields
    .filter((field) => isWithoutDefault(field))
    .map(({ title, default: standard }) => `${title}: ${inertJson(JSON.stringify(standard))}`);
  const names = fields.map(({ name }) => name).filter((name) => !isFieldName(name));
  return [
    ...saidOf('These defaults are not filled in, because n8n would evaluate them as expressions:', defaults),
    ...saidOf("These arguments can only be given as JSON, because n8n's form cannot hold their names:", names),
  ];
}

function saidOf(what: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  return [what, bullets(limited(texts, 5).map((text) => paragraphs(text, 200)))];
}

/** In the form's own words: what does not stand at the field itself. */
function described(fields: readonly FormField[]): string[] {
  const meant = fields.filter((field) => field.description && !isDescribedAtField(field));
  return [...requiredFirst(meant).slice(0, shown).map(entry), ...more(meant.length - shown)];

  function entry({ title, description }: FormField): string {
    return `<b>${paragraphs(title, 100)}</b>: ${paragraphs(description ?? '', 200)}`;
  }
}

/** In the names of the JSON: what the signature does not say. */
function spelledOut(fields: readonly FormField[]): string[] {
  const meant = fields.filter(({ description }) => description);
  return [...requiredFirst(meant).slice(0, shown).map(entry), ...more(meant.length - shown)];

  function entry({ name, required, hint, description }: FormField): string {
    const what = paragraphs(required ? hint : `${hint}, optional`, 150);
    return `<b>${paragraphs(name, 100)}</b> (${what}): ${paragraphs(description ?? '', 200)}`;
  }
}

/** Of those that are shown, the order is the schema's. */
function requiredFirst(fields: readonly FormField[]): readonly FormField[] {
  if (fields.length <= shown) return fields;
  return [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)];
}

/** With spaces, so that it can be wrapped. */
function onOneLine(example: unknown): string {
  return paragraphs(inertJson(JSON.stringify(example, null, 1)).replaceAll(/\n */g, ' '), 1000);
}
