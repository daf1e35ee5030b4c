import type { FormField, FormValueError } from '../../../src/internal.js';
import { isList, isObject, shortened } from '../../../src/json/index.js';
import { inertJson } from '../../editor/gate.js';
import { SetupError } from '../../errors.js';

/**
 * What a field holds that takes JSON and holds something else, and what to write instead. n8n's editor makes the most
 * common one: a value dragged onto the field is appended to the JSON that stands there.
 *
 * @param typed the field as it was typed, before its expressions were evaluated: what they gave may be a secret
 */
export function formError(
  { message, expected }: FormValueError,
  { example }: Pick<FormField, 'example'>,
  typed: unknown,
): SetupError {
  const text = typeof typed === 'string' ? typed.replace(/^=/, '') : '';
  const dragged = /\{\{([^]*?)\}\}/.exec(text)?.[1]?.trim();
  const sample = example ?? (expected === 'array' ? [] : {});
  const lines = [
    ...(text === '' ? [] : [`The field holds: ${shortened(onOneLine(text), 200)}`]),
    `Expected: an ${expected}, such as ${shortened(spaced(sample), 200)}`,
    ...(dragged === undefined ? [] : expressionsWith(dragged, sample, expected)),
  ];
  return new SetupError(message, lines.join('\n'));
}

/** Expressions that give what the field takes, by what the dragged value is. */
function expressionsWith(dragged: string, sample: unknown, expected: string): string[] {
  const whole = `If the value is an ${expected} already: {{ ${dragged} }}`;
  if (isList(sample)) return [`If the value is one entry of it: {{ [ ${dragged} ] }}`, whole];
  const [first, ...others] = isObject(sample) ? Object.entries(sample) : [];
  if (!first) return [whole];
  const name = inertJson(JSON.stringify(first[0]));
  const members = [`${name}: ${dragged}`, ...others.map(([key, value]) => spaced({ [key]: value }).slice(2, -2))];
  return [`If the value is its ${name}: {{ { ${members.join(', ')} } }}`, whole];
}

/** With spaces: two braces in a row would end an expression. */
function spaced(value: unknown): string {
  return onOneLine(inertJson(JSON.stringify(value, null, 1)));
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
