import { fc } from '../../../test-support/fuzz.js';
import { lawRuns } from '../../../test-support/law-runs.js';
import { isExpression } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import {
  choiceAnswer,
  formAnswer,
  inertJson,
  isLive,
  noticeAnswer,
  searchAnswer,
  textOfValue,
} from '../../../nodes/editor/gate.js';

const runs = { numRuns: lawRuns() };

/** Generates texts in which n8n's marks of expressions are frequent. */
const special = fc.constantFrom('=', '{', '}', '{{', '}}', '"', '\\', ' ', '$fromAI(', '\\u003d', '\n');
const text = fc.array(fc.oneof(special, fc.string()), { maxLength: 8 }).map((parts) => parts.join(''));

/** Switches a field to an expression as n8n's editor does (n8n-editor-ui 2.41). */
function switched(type: string, value: unknown): string {
  return type === 'number' || type === 'boolean' ? `{{ ${String(value)} }}` : String(value);
}

/** True if n8n evaluates a value, or its editor turns it into an expression when it is chosen, pasted or dropped. */
function becomesExpression(value: unknown): boolean {
  return typeof value === 'string' && (/^=/.test(value) || value.includes('{{') || /\$fromai/i.test(value));
}

describe('a choice', () => {
  test('A choice is never an expression, and keeps its text', () => {
    fc.assert(
      fc.property(text, (given) => {
        const choices = [{ name: 'a', value: given }];
        for (const { value } of [...choiceAnswer(choices), ...searchAnswer(choices).results]) {
          expect(becomesExpression(value)).toBe(false);
          expect(textOfValue(String(value))).toBe(given);
        }
      }),
      runs,
    );
  });

  test('A choice decodes to its own text, even if the text looks like an encoding', () => {
    const chosen = (value: string) => String(choiceAnswer([{ name: 'a', value }])[0]?.value);
    const first = chosen('={{ 1 }}');
    expect([first, chosen(first)].map(textOfValue)).toEqual(['={{ 1 }}', first]);
  });

  test('A choice is the text itself if it is plain', () => {
    const plain = ['echo', 'file:///a b', '{"a": 1}', '"quoted"', '7', '{name}', 'a=b'];
    expect(choiceAnswer(plain.map((value) => ({ name: value, value }))).map(({ value }) => value)).toEqual(plain);
    expect(plain.map(textOfValue)).toEqual(plain);
  });

  test('The name and the description of a choice are free of expressions and markup', () => {
    fc.assert(
      fc.property(text, (given) => {
        const [choice] = choiceAnswer([{ name: given, value: 'a', description: `${given}<b>` }]);
        expect([choice?.name, choice?.description].filter(isExpression)).toEqual([]);
        expect(`${choice?.name} ${choice?.description}`).not.toMatch(/\$fromai/i);
        expect(choice?.description).not.toContain('<b>');
      }),
      runs,
    );
  });
});

describe('a field of a form', () => {
  const shown = { displayName: 'A', required: false, defaultMatch: false, display: true };
  const field = { ...shown, id: 'a', type: 'string' as const };

  test('A field of a form is never an expression in any of its texts', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (given, other, isChoice) => {
        const options = isChoice ? { options: [{ name: given, value: other, description: given }] } : {};
        const { fields } = formAnswer([{ ...field, displayName: given, defaultValue: other, ...options }]);
        const [only] = fields;
        const described = (only?.options ?? []).flatMap(({ name, description }) => [name, description]);
        expect([only?.displayName, ...described].filter(isExpression)).toEqual([]);
        expect([only?.defaultValue, only?.options?.[0]?.value].filter(becomesExpression)).toEqual([]);
        if (isChoice) expect(only?.defaultValue).toBe(only?.options?.[0]?.value);
        else expect(only?.defaultValue).toBe(isLive(other) ? undefined : other);
      }),
      runs,
    );
  });

  test('A field of a form has no initial text that would be code in an expression', () => {
    const types = fc.constantFrom('number', 'boolean', 'string', 'dateTime', 'array', 'object');
    const values = fc.oneof(text, fc.constantFrom('$json.a', '1', 'true', '', '[1]'), fc.integer(), fc.boolean());
    fc.assert(
      fc.property(types, values, (type, given) => {
        const [only] = formAnswer([{ ...field, type, defaultValue: given }]).fields;
        const { defaultValue } = only ?? {};
        if (typeof defaultValue === 'string') expect(switched(type, defaultValue)).not.toContain('{{');
      }),
      { numRuns: lawRuns(12_000) },
    );
  });

  test.each([
    ['number', 7],
    ['boolean', false],
    ['string', 'a = b'],
    ['array', '[1]'],
    ['dateTime', '2026-01-01'],
  ] as const)('A field of the type %s has the initial value %j, which is not evaluated', (type, defaultValue) => {
    expect(formAnswer([{ ...field, type, defaultValue }]).fields[0]?.defaultValue).toBe(defaultValue);
  });

  test('A field of a form is left out if its name would be evaluated', () => {
    const lost = ['={{ 1 }}', 'a{{b}}', '__proto__', 'constructor', 'a"]b', '$fromAI(1)'];
    const { fields } = formAnswer([...lost, 'a'].map((id) => ({ ...field, id })));
    expect(fields.map(({ id }) => id)).toEqual(['a']);
  });
});

test('JSON for the editor keeps its meaning, holds no expression, and ends none around it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), text, (value, name) => {
      for (const space of [undefined, 1, 2]) {
        const given = JSON.stringify({ [name]: value, list: [name, { [name]: name }] }, null, space);
        const json = inertJson(given);
        expect(JSON.parse(json)).toEqual(JSON.parse(given));
        expect(becomesExpression(json)).toBe(false);
        const strings = json.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
        expect(strings.filter((part) => part.includes('}}'))).toEqual([]);
      }
    }),
    { numRuns: lawRuns(500) },
  );
});

test('A notice has no fields, so nothing of it is stored', () => {
  expect(noticeAnswer(['={{ 1 }}', '', '<ul><li>a</li></ul>'])).toEqual({
    fields: [],
    emptyFieldsNotice: '={{ 1 }}<ul><li>a</li></ul>',
  });
});
