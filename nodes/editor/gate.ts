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
 * The editor stores answers as parameters of the workflow: the value and name of a choice, and every field of a form with
 * its label, choices and default. n8n 2.41 evaluates each parameter that begins with `=`. Its editor puts `=` in front of
 * a text with `{{` and `}}` that is chosen, pasted or dropped onto, and turns a whole field for a number or a boolean into
 * an expression. In a node that is a tool, every `$fromAI` in a text asks the model for an argument. This file lets no
 * such text through. The nodes' methods have to return {@link ForEditor}, and only these functions make it.
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

/** True if n8n would evaluate the text as a parameter, now or after its editor has turned it into an expression. */
export function isLive(text: string): boolean {
  return /^\s*=|\{\{|\$fromai/i.test(text);
}

/** False for names that n8n's form evaluates, loses, or confuses with one another. */
export function isFieldName(name: string): boolean {
  return !isLive(name) && !name.includes('"]') && !['__proto__', 'constructor', 'prototype'].includes(name);
}

/** True if a field may begin with the value. Text in a field for a number or a boolean would become an expression. */
export function isDefault(type: FieldType | undefined, value: unknown): boolean {
  if (type === 'number' || type === 'boolean') return typeof value === type;
  return typeof value !== 'string' || !isLive(value);
}

/** Decodes a value chosen from a list (see `inertValue`). Text that a person typed is returned as it is. */
export function textOfValue(value: string): string {
  const text = value.startsWith('"') ? parseJson(value) : undefined;
  return typeof text === 'string' && inertValue(text) === value ? text : value;
}

/** Escapes everything in JSON that n8n would evaluate. The JSON keeps its meaning, and is safe in every field. */
export function inertJson(json: string): string {
  return json.replaceAll(jsonString, (text) =>
    /\{\{|\}\}|\$fromai/i.test(text)
      ? text.replaceAll(/[{}$]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : text,
  );
}

const jsonString = /"(?:[^"\\]|\\.)*"/g;

/**
 * Encodes a text as a JSON string if n8n would evaluate it or trim its spaces, or if it looks like such an encoding.
 * Other texts are returned as they are.
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

/** Text that is shown and never edited. */
function label(text: string): string {
  const seen = visible(text).replaceAll(/\$(?=fromai)/gi, '＄');
  return /^\s*=/.test(seen) ? `"${seen}"` : seen;
}

function gate<Answer>(answer: Answer): ForEditor<Answer> {
  return answer as ForEditor<Answer>; // the mark is for the compiler alone
}
