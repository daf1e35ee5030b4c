import type {
  ILoadOptionsFunctions,
  INodeListSearchResult,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';
import { parseJson, visible } from '../../src/json/index.js';
import { plainText } from '../text.js';

/**
 * The one way from a server's text into n8n's editor.
 *
 * What the editor is answered becomes parameters of a workflow: the value of a choice, its name (`cachedResultName`), and
 * of a form every field with its label, choices and default (`schema`). n8n evaluates each parameter that begins with `=`
 * when the node runs. Its editor puts that sign in front of a text with `{{` and `}}` in it when the text is chosen, pasted
 * or has something dropped onto it, and makes an expression of the description in a text that calls `$fromAI`
 * (n8n-editor-ui 2.41). So nothing of this kind goes there: {@link ForEditor} is what the nodes' methods have to answer, and
 * only the functions of this file make it.
 */
declare const gated: unique symbol;

export type ForEditor<Answer> = Answer & { readonly [gated]: true };

type Method<Answer> = (this: ILoadOptionsFunctions, filter?: string) => Promise<ForEditor<Answer>>;

/** The methods of a node that answer the editor. */
export interface EditorMethods {
  readonly loadOptions?: Readonly<Record<string, Method<INodePropertyOptions[]>>>;
  readonly listSearch?: Readonly<Record<string, Method<INodeListSearchResult>>>;
  readonly resourceMapping?: Readonly<Record<string, Method<ResourceMapperFields>>>;
}

/** What to choose from. What was chosen is read with {@link textOfValue}. */
export function choiceAnswer(choices: readonly INodePropertyOptions[]): ForEditor<INodePropertyOptions[]> {
  return gate(choices.map(inertChoice));
}

export function searchAnswer(choices: readonly INodePropertyOptions[]): ForEditor<INodeListSearchResult> {
  return gate({ results: choices.map(inertChoice) });
}

/** A form. A field whose name n8n would evaluate is left out of it, and so is the text of a default. */
export function formAnswer(fields: readonly ResourceMapperField[]): ForEditor<ResourceMapperFields> {
  return gate({ fields: fields.filter(({ id }) => !isLive(id)).map(inertField) });
}

/** @param html what `paragraphs` and `bullets` make of text, and markup of our own */
export function noticeAnswer(html: readonly string[]): ForEditor<ResourceMapperFields> {
  const joined = html.filter((part) => part !== '').join('<br>');
  const notice = joined.replaceAll('</ul><br>', '</ul>').replaceAll('<br><ul>', '<ul>');
  return gate({ fields: [], emptyFieldsNotice: notice });
}

/** Whether n8n would evaluate a text as a parameter, as it is or once its editor has made an expression of it. */
export function isLive(text: string): boolean {
  return /^\s*=|\{\{|\$fromai/i.test(text);
}

/** The text that stands for a value chosen from a list; what a person typed stands for itself. */
export function textOfValue(value: string): string {
  const text = value.startsWith('"') ? parseJson(value) : undefined;
  return typeof text === 'string' && inertValue(text) === value ? text : value;
}

/** JSON that says the same, with escapes for what n8n would evaluate: it can stand in a field, in an expression, anywhere. */
export function inertJson(json: string): string {
  return json.replaceAll(jsonString, (text) =>
    /\{\{|\}\}|\$fromai/i.test(text) ? text.replaceAll(/[{}$]/g, escaped) : text,
  );
}

const jsonString = /"(?:[^"\\]|\\.)*"/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A text as it is, or in JSON's quotes with escapes, where n8n would evaluate it; so is what reads like such quotes. */
function inertValue(text: string): string {
  return isLive(text) || textOfValue(text) !== text ? inertJson(JSON.stringify(text)) : text;
}

function inertChoice({ name, value, description, ...more }: INodePropertyOptions): INodePropertyOptions {
  return {
    ...more,
    name: label(name),
    value: typeof value === 'string' ? inertValue(value) : value,
    ...(description !== undefined && { description: label(plainText(description)) }),
  };
}

function inertField({ displayName, options, defaultValue, ...more }: ResourceMapperField): ResourceMapperField {
  const isText = typeof defaultValue === 'string';
  const value = isText && options ? inertValue(defaultValue) : defaultValue;
  const isLeftOut = typeof value === 'string' && isLive(value);
  return {
    ...more,
    displayName: label(displayName),
    ...(options && { options: options.map(inertChoice) }),
    ...(value !== undefined && !isLeftOut && { defaultValue: value }),
  };
}

/** What is only read, and kept beside the value. Nothing is ever dropped onto it, so its beginning alone counts. */
function label(text: string): string {
  const seen = visible(text);
  return /^\s*=/.test(seen) ? `"${seen}"` : seen;
}

function gate<Answer>(answer: Answer): ForEditor<Answer> {
  return answer as ForEditor<Answer>; // the mark is for the compiler alone
}
