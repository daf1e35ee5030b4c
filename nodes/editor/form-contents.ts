import type { IExecuteFunctions } from 'n8n-workflow';
import { equals, isList, isObject, parseJson } from '../../src/json/index.js';

/** What a form holds when the node runs. */
export interface FormContents {
  /** By field; expressions have their values. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The same as it stands in the panel. */
  readonly typed: Readonly<Record<string, unknown>>;
  /** What each field began with when the form was made. */
  readonly began: ReadonlyMap<unknown, unknown>;
}

export function readFormContents(context: IExecuteFunctions, itemIndex: number, parameter: string): FormContents {
  // First what stands in the panel: a form may hold what must not be evaluated.
  const typed: unknown = context.getNode().parameters[parameter];
  const schema = isObject(typed) && isList(typed['schema']) ? typed['schema'].filter(isObject) : [];
  return {
    typed: valuesIn(typed),
    began: new Map(schema.map(({ id, defaultValue }) => [id, defaultValue])),
    get values() {
      return valuesIn(context.getNodeParameter(parameter, itemIndex, {}));
    },
  };
}

function valuesIn(form: unknown): Readonly<Record<string, unknown>> {
  return isObject(form) && isObject(form['value']) ? form['value'] : {};
}

/** Whether a field still holds the sample that it began with. An empty object or list may well be meant. */
export function isSample(typed: unknown, began: unknown): boolean {
  const value = jsonIn(typed);
  return value !== undefined && Object.keys(value).length > 0 && equals(value, jsonIn(began));
}

/** The object or list in a field, which n8n's editor may have made an expression. */
function jsonIn(text: unknown): object | undefined {
  const value = typeof text === 'string' ? parseJson(text.replace(/^=/, '')) : undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}
