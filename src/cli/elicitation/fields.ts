import { compileSchema, evaluate, formFields, typedText } from '../../internal.js';
import type { FormField } from '../../internal.js';
import { isObject, isSchema } from '../../json/index.js';

type Schema = Readonly<Record<string, unknown>>;

/** The field that an item of a list would be, where the property is one. */
export function itemField(schema: Schema, name: string): FormField | undefined {
  const property = propertyOf(schema, name);
  const items = isObject(property) ? property['items'] : undefined;
  return items === undefined ? undefined : formFields({ inputSchema: { properties: { item: items } } })[0];
}

export function choicesOf(schema: Schema, field: FormField): NonNullable<FormField['options']> {
  return field.options ?? (field.type === 'array' ? (itemField(schema, field.name)?.options ?? []) : []);
}

/** What somebody typed, by the numbers of the choices as well; or why it cannot be taken. */
export function readLine(schema: Schema, field: FormField, line: string): { value: unknown } | { problem: string } {
  const choices = choicesOf(schema, field);
  const value = typedText(field, byNumber(line, field, choices), itemField(schema, field.name));
  const evaluation = evaluate(compileSchema(propertyOf(schema, field.name)), value, { assertFormats: true });
  if (evaluation.outcome === 'valid') return { value };
  const expected =
    evaluation.outcome === 'invalid'
      ? evaluation.violations.map(({ message }) => message.replace(/^\(root\): /, ''))
      : [];
  return { problem: [...new Set(expected)].slice(0, 3).join(' ') || evaluation.outcome };
}

/** The numbers of choices, in place of which the choices are put, unless a choice is written like that. */
function byNumber(line: string, field: FormField, choices: NonNullable<FormField['options']>): string {
  const keyOf = (part: string) => {
    const trimmed = part.trim();
    const named = choices.some(({ label, key }) => label === trimmed || key === trimmed);
    return named || !/^\d{1,4}$/.test(trimmed) ? trimmed : (choices[Number(trimmed) - 1]?.key ?? trimmed);
  };
  if (choices.length === 0 || line.trim().startsWith('[')) return line;
  return field.type === 'array' ? line.split(',').map(keyOf).join(',') : keyOf(line);
}

function propertyOf({ properties }: Schema, name: string): Schema | boolean {
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isSchema(property) ? property : true;
}
