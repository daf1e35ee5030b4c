import type {
  FieldType,
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
 * Answers to the editor become parameters of a workflow: the value of a choice, its name (`cachedResultName`), and in a
 * form every field with its label, choices and default (`schema`). n8n 2.41 evaluates each parameter that begins with
 * `=` when the node runs. Its editor adds that sign to a text with `{{` and `}}` when the text is chosen, pasted or has
 * something dropped onto it. If a person switches a field for a number or a boolean to an expression, its whole content
 * becomes one. In a node that is a tool, every text that calls `$fromAI` asks the model for an argument. So no such
 * text goes there: the nodes' methods must answer with {@link ForEditor}, which only the functions of this file make.
 */
declare const gated: unique symbol;

export type ForEditor<Answer> = Answer & { readonly [gated]: true };

type Method<Answer> = (this: ILoadOptionsFunctions, filter?: string) => Promise<ForEditor<Answer>>;

export interface EditorMethods {
  readonly loadOptions?: Readonly<Record<string, Method<INodePropertyOptions[]>>>;
  readonly listSearch?: Readonly<Record<string, Method<INodeListSearchResult>>>;
  readonly resourceMapping?: Readonly<Record<string, Method<ResourceMapperFields>>>;
}

export function choiceAnswer(choices: readonly INodePropertyOptions[]): ForEditor<INodePropertyOptions[]> {
  return gate(choices.map(inertChoice));
}

export function searchAnswer(choices: readonly INodePropertyOptions[]): ForEditor<INodeListSearchResult> {
  return gate({ results: choices.map(inertChoice) });
}

/** A form, without the fields that {@link isFieldName} refuses and the defaults that {@link isDefault} refuses. */
export function formAnswer(fields: readonly ResourceMapperField[]): ForEditor<ResourceMapperFields> {
  return gate({ fields: fields.filter(({ id }) => isFieldName(id)).map(inertField) });
}

export function noticeAnswer(html: readonly string[]): ForEditor<ResourceMapperFields> {
  const joined = html.filter((part) => part !== '').join('<br>');
  const notice = joined.replaceAll('</ul><br>', '</ul>').replaceAll('<br><ul>', '<ul>');
  return gate({ fields: [], emptyFieldsNotice: notice });
}

/** True if n8n would evaluate a text as a parameter, as it is or once its editor has made an expression of it. */
export function isLive(text: string): boolean {
  return /^\s*=|\{\{|\$fromai/i.test(text);
}

/** True if n8n's form can have a field with this name: it evaluates some names, and loses or confuses others. */
export function isFieldName(name: string): boolean {
  return !isLive(name) && !name.includes('"]') && !['__proto__', 'constructor', 'prototype'].includes(name);
}

/**
 * True if a field may begin with a value. Text in a field for a number or a boolean would become an expression as a
 * whole.
 */
export function isDefault(type: FieldType | undefined, value: unknown): boolean {
  if (type === 'number' || type === 'boolean') return typeof value === type;
  return typeof value !== 'string' || !isLive(value);
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

/**
 * A text as it is, or in JSON's quotes with escapes: if n8n would evaluate it, if it looks like such quotes, or if it
 * would lose the spaces around it.
 */
function inertValue(text: string): string {
  const isKept = !isLive(text) && textOfValue(text) === text && text.trim() === text;
  return isKept ? text : inertJson(JSON.stringify(text));
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
  const value = options && typeof defaultValue === 'string' ? inertValue(defaultValue) : defaultValue;
  return {
    ...more,
    displayName: label(displayName),
    ...(options && { options: options.map(inertChoice) }),
    ...(value !== undefined && isDefault(more.type, value) && { defaultValue: value }),
  };
}

/** A text that is only read, and kept beside the value: nobody edits it. */
function label(text: string): string {
  const seen = visible(text).replaceAll(/\$(?=fromai)/gi, '＄');
  return /^\s*=/.test(seen) ? `"${seen}"` : seen;
}

function gate<Answer>(answer: Answer): ForEditor<Answer> {
  return answer as ForEditor<Answer>; // the mark is for the compiler alone
}
