import { isObject, jsonText } from '../../json/index.js';
import { cut, oneLine } from '../terminal/text.js';

type Fields = Record<string, unknown>;

/** What a schema asks of a value, apart from its parts, in words: "integer or null, ≥ 0, default 10". */
export function factsOf(schema: unknown): string {
  if (schema === true) return 'anything';
  if (schema === false) return 'nothing';
  if (!isObject(schema)) return `not a schema: ${brief(schema)}`;
  return [kindOf(schema), ...boundsOf(schema), ...marksOf(schema)].filter((fact) => fact !== '').join(', ');
}

/** A value on one line, short. */
export function brief(value: unknown, columns = 48): string {
  return cut(oneLine(value === undefined ? 'nothing' : jsonText(value)), columns);
}

function kindOf(schema: Fields): string {
  const { $ref, type, format } = schema;
  const values = Array.isArray(schema['enum'])
    ? `one of ${listed(schema['enum'])}`
    : 'const' in schema
      ? brief(schema['const'])
      : '';
  if (typeof $ref === 'string') return `→ ${oneLine($ref)}`;
  const types = (Array.isArray(type) ? type : type === undefined ? [] : [type])
    .map((name) => oneLine(String(name)))
    .join(' or ');
  const kind = schema['nullable'] === true && types !== '' ? `${types} or null` : types;
  const named = typeof format === 'string' ? `${kind} (${oneLine(format)})`.trim() : kind;
  if (values === '') return named;
  return ['string', ''].includes(kind) ? values : `${named}: ${values}`;
}

function listed(values: readonly unknown[]): string {
  const shown = values
    .slice(0, 12)
    .map((value) => brief(value, 24))
    .join(', ');
  return values.length > 12 ? `${shown} … (${values.length})` : shown;
}

function boundsOf(schema: Fields): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, pattern, uniqueItems } = schema;
  return [
    minimum === undefined ? '' : `${exclusiveMinimum === true ? '>' : '≥'} ${brief(minimum)}`,
    maximum === undefined ? '' : `${exclusiveMaximum === true ? '<' : '≤'} ${brief(maximum)}`,
    typeof exclusiveMinimum === 'number' ? `> ${exclusiveMinimum}` : '',
    typeof exclusiveMaximum === 'number' ? `< ${exclusiveMaximum}` : '',
    multipleOf === undefined ? '' : `multiple of ${brief(multipleOf)}`,
    range(schema['minLength'], schema['maxLength'], 'characters'),
    range(schema['minItems'], schema['maxItems'], 'items'),
    range(schema['minProperties'], schema['maxProperties'], 'properties'),
    typeof pattern === 'string' ? `matches ${cut(oneLine(pattern), 60)}` : '',
    uniqueItems === true ? 'no repeats' : '',
  ];
}

const singular = { characters: 'character', items: 'item', properties: 'property' };

function range(least: unknown, most: unknown, what: keyof typeof singular): string {
  if (least === undefined && most === undefined) return '';
  const counted = (count: unknown) => `${brief(count)} ${count === 1 ? singular[what] : what}`;
  if (most === undefined) return `at least ${counted(least)}`;
  if (least === undefined) return `at most ${counted(most)}`;
  return least === most ? counted(least) : `${brief(least)} to ${counted(most)}`;
}

function marksOf(schema: Fields): string[] {
  return [
    schema['additionalProperties'] === false ? 'no other properties' : '',
    'default' in schema ? `default ${brief(schema['default'])}` : '',
    Array.isArray(schema['examples']) && schema['examples'].length > 0 ? `e.g. ${brief(schema['examples'][0])}` : '',
    schema['deprecated'] === true ? 'deprecated' : '',
  ];
}
