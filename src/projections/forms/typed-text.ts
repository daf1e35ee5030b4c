import { parseJson } from '../../json/index.js';
import type { FormField } from './form.js';

/**
 * What a line of text means to a field, for hosts whose forms are read line by line. A text that the field cannot take
 * stays as it is, for whoever checks it.
 *
 * @param item of a list, which is written with commas or as JSON: the field that each of its items would be
 */
export function typedText(field: FormField, text: string, item?: FormField): unknown {
  const trimmed = text.trim();
  if (field.options) {
    return (field.options.find(({ label, key }) => label === trimmed || key === trimmed) ?? { value: text }).value;
  }
  switch (field.type) {
    case 'number':
      return numeral.test(trimmed) ? Number(trimmed) : text;
    case 'boolean':
      return /^(y|yes|true)$/i.test(trimmed) ? true : /^(n|no|false)$/i.test(trimmed) ? false : text;
    case 'array':
      if (trimmed.startsWith('[')) return parseJson(trimmed) ?? text;
      return trimmed.split(',').map((part) => (item ? typedText(item, part) : part.trim()));
    case 'object':
    case 'json':
      return parseJson(trimmed) ?? text;
    default:
      return text;
  }
}

/** A number as JSON writes it. */
const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
