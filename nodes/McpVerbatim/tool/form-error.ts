import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { FormField, FormValueError } from '../../../src/internal.js';
import { isList, isObject, shortened } from '../../../src/json/index.js';
import { inertJson } from '../../editor/gate.js';

/**
 * What a field holds that takes JSON and holds something else, and what to write instead. n8n's editor makes the most
 * common one: a value dragged onto the field is appended to the JSON that stands there.
 *
 * @param typed the field as it was typed, before its expressions were evaluated: what they gave may be a secret
 */
export function formError(
  context: IExecuteFunctions,
  { message, expected }: FormValueError,
  { example }: Pick<FormField, 'example'>,
  typed: unknown,
  itemIndex: number,
): NodeOperationError {
  const text = typeof typed === 'string' ? typed.replace(/^=/, '') : '';
  const dragged = /\{\{([^]*?)\}\}/.exec(text)?.[1]?.trim();
  const sample = example ?? (expected === 'array' ? [] : {});
  const lines = [
    text === '' ? '' : `The field holds: ${shortened(onOneLine(text), 200)}`,
    `Expected: an ${expected}, such as ${shortened(spaced(sample), 200)}`,
    dragged === undefined ? '' : `An expression that works: {{ ${working(context, sample, dragged, itemIndex)} }}`,
    dragged === undefined ? '' : `If the value is an ${expected} already: {{ ${dragged} }}`,
  ];
  return new NodeOperationError(context.getNode(), message, {
    description: lines.filter(Boolean).join('\n'),
    itemIndex,
  });
}

/** The expression as an entry, where it gives an object and a list of objects is wanted; or else in the sample's place. */
function working(context: IExecuteFunctions, sample: unknown, expression: string, itemIndex: number): string {
  const isOfObjects = isList(sample) && sample.every(isObject);
  if (isOfObjects && isObject(valueOf(context, expression, itemIndex))) return `[ ${expression} ]`;
  return withValue(sample, expression);
}

/** What n8n has evaluated already in the midst of other text; undefined where it cannot. */
function valueOf(context: IExecuteFunctions, expression: string, itemIndex: number): unknown {
  try {
    return context.evaluateExpression(`{{ ${expression} }}`, itemIndex);
  } catch {
    return undefined;
  }
}

/** The sample with an expression in the place of its first text, or of its first value where it has none. */
function withValue(sample: unknown, expression: string): string {
  const texts = withFirst(sample, expression, (value) => typeof value === 'string');
  const values = withFirst(sample, expression, (value) => typeof value !== 'object');
  return texts ?? values ?? (Array.isArray(sample) ? `[${expression}]` : `{ "name": ${expression} }`);
}

function withFirst(sample: unknown, expression: string, isMeant: (value: unknown) => boolean): string | undefined {
  const place: { found?: unknown } = {};
  const marked = JSON.stringify(
    sample,
    (_key, value: unknown) => {
      if ('found' in place || !isMeant(value)) return value;
      place.found = value;
      return mark;
    },
    1,
  );
  return 'found' in place ? onOneLine(inertJson(marked)).replace(JSON.stringify(mark), () => expression) : undefined;
}

const mark = '\u0000';

/** With spaces: two braces in a row would end an expression. */
function spaced(value: unknown): string {
  return onOneLine(inertJson(JSON.stringify(value, null, 1)));
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
