import type { INodeProperties } from 'n8n-workflow';
import { isList, isObject, type JsonObject, jsonText, messageOf, shortened } from '../src/json/index.js';
import { textOfValue } from './editor/gate.js';
import { SetupError } from './errors.js';
import type { ChoiceField } from '../credentials/fields.js';

type Field = Pick<INodeProperties, 'displayName' | 'name' | 'typeOptions' | 'options' | 'default'>;

/** The fields of a group; none if the option was not added. */
export function valuesIn(options: JsonObject, { name }: Field): JsonObject {
  return membersIn(options[name], 'values');
}

export function membersIn(value: unknown, name: string): JsonObject {
  return isObject(value) && isObject(value[name]) ? value[name] : {};
}

/**
 * @param value as n8n stored it, or as an expression gave it
 * @throws SetupError if the field has no such choice
 */
export function choiceIn<Value extends string>(field: ChoiceField<Value>, value: unknown): Value {
  const choices = (field.options ?? []).filter((choice) => 'value' in choice);
  if (choices.some((choice) => choice.value === value)) return value as Value; // one of the field's own
  throw refusal(field, is(value), `one of ${choices.map((choice) => String(choice.value)).join(', ')}`);
}

/** @param absent the value if the option was not added */
export function choiceOr<Value extends string>(
  values: JsonObject,
  field: ChoiceField<Value>,
  absent: Value = field.default,
): Value {
  return field.name in values ? choiceIn(field, values[field.name]) : absent;
}

export function isOn(values: JsonObject, field: Field, absent: boolean): boolean {
  const value = field.name in values ? values[field.name] : absent;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw refusal(field, is(value), 'true or false');
}

/** Text is read as a number, because a webhook's values reach expressions as text. */
export function numberIn(values: JsonObject, field: Field): number | undefined {
  if (!(field.name in values)) return undefined;
  const value = values[field.name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const least = field.typeOptions?.minValue ?? 0;
  if (typeof number === 'number' && Number.isFinite(number) && number >= least) return number;
  throw refusal(field, is(value), `a number of at least ${least}`);
}

export function millisecondsIn(values: JsonObject, field: Field): number | undefined {
  const seconds = numberIn(values, field);
  return seconds === undefined ? undefined : seconds * 1000;
}

export function textIn(values: JsonObject, field: Field): string {
  const value = field.name in values ? values[field.name] : '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw refusal(field, 'is not a text', 'a text');
}

export function namesIn(field: Pick<Field, 'displayName'>, value: unknown): readonly string[] {
  const names = typeof value === 'string' ? value.split(',').flatMap((name) => name.trim() || []) : value;
  if (isList(names) && names.every((name) => typeof name === 'string')) return names.map(textOfValue);
  throw refusal(field, 'chooses nothing', 'a list of names, or names with commas between them');
}

export function objectIn(values: JsonObject, field: Pick<Field, 'displayName' | 'name'>): JsonObject {
  const value = values[field.name];
  let fault = 'is not a JSON object';
  try {
    const parsed = typeof value === 'string' ? (JSON.parse(value.trim() || '{}') as unknown) : (value ?? {});
    if (isObject(parsed)) return parsed;
  } catch (error) {
    fault = `is not valid JSON: ${messageOf(error)}`;
  }
  throw refusal(field, fault, 'a JSON object with one property per value, such as { "query": "verbatim" }');
}

function is(value: unknown): string {
  const isEmpty = value === undefined || value === null || value === '';
  return isEmpty ? 'has no value' : `is ${shortened(jsonText(value), 60)}`;
}

function refusal({ displayName }: Pick<Field, 'displayName'>, problem: string, takes: string): SetupError {
  const label = displayName.replace(/ \(.*\)$/, '');
  return new SetupError(
    `"${label}" ${problem}`,
    `Set it to ${takes}. If it is an expression, this is what the expression gave.`,
  );
}
