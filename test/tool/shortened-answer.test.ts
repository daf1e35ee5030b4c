import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { describe, expect, test } from 'vitest';
import { shortenedAnswer, shortenedAnswers } from '../../src/tool/index.js';
import { members, texts, times } from '../../test-support/schemas/short.js';

const items = times(500, (id) => ({ id, body: 'word '.repeat(40) }));

/** The text of a shortened JSON answer. */
function read(text: string): { shortened: string; answer: unknown } {
  return JSON.parse(text) as { shortened: string; answer: unknown };
}

describe('an answer', () => {
  const a = 'a'.repeat(90);
  const b = 'b'.repeat(200);

  test.each([
    ['a paragraph', `${a}\n\n${b}`, a],
    ['a line', `${a}\n${b}`, a],
    ['a sentence', `${a}. ${b}`, `${a}.`],
    ['a sentence of Chinese', `${'一'.repeat(90)}。${b}`, `${'一'.repeat(90)}。`],
    ['a word', `${a} ${b}`, a],
    ['so many characters, if there is no such end', b, 'b'.repeat(100)],
  ])('A shortened answer ends after %s, and says how much is missing', (_, text, kept) => {
    const [first, note] = shortenedAnswer(text, 100).split('\n[');
    expect(first).toBe(kept);
    expect(note).toContain(`${text.length - kept.length} of ${text.length} characters are missing`);
  });

  test.each([
    ['12345', 3],
    ['-98765.4321', 5],
    ['1,234,567', 5],
    ['1 234 567', 5],
    ["1'234'567", 6],
    ['6.02e+23', 6],
    ['9'.repeat(200), 150],
  ])('A shortened answer never ends within a number: %s, cut after %i of its characters', (number, at) => {
    const start = 'x'.repeat(300 - at);
    for (const text of [`${start}${number}${'y'.repeat(200)}`, `${start}${number}`.padEnd(800, '.y')])
      expect(shortenedAnswer(text, 300).split('\n[')[0]).toBe(start);
    const [kept] =
      /x+[^…]*/.exec(shortenedAnswer(JSON.stringify({ t: `${start}${number}${'y'.repeat(900)}` }), 310)) ?? [];
    expect(kept).toMatch(/^x+$/);
  });

  test('A shortened answer of many numbers keeps most of them', () => {
    const text = times(1_000, (index) => index * 7).join();
    expect(shortenedAnswer(text, 1_000).split('\n[')[0]!.length).toBeGreaterThan(900);
  });

  test('A shortened answer never ends within a character', () => {
    expect(shortenedAnswer('😀'.repeat(100), 51).split('\n[')[0]).toBe('😀'.repeat(25));
  });

  test('A shortened answer that is JSON stays JSON, and names the missing parts and their places', () => {
    const text = JSON.stringify({ total: 500, items, next: 'abc' });
    const shortened = shortenedAnswer(text, 2_000);
    expect(shortened.length).toBeLessThan(2_400);
    const { shortened: note, answer } = read(shortened);
    const kept = (answer as { items: unknown[] }).items;
    expect(answer).toMatchObject({ total: 500, next: 'abc', items: items.slice(0, kept.length) });
    expect(note).toContain(`${500 - kept.length} of 500 items at /items`);
    expect(note).toContain('110,426 characters');
  });

  test('A shortened answer keeps the small parts of an object and the beginning of long strings', () => {
    const { shortened, answer } = read(shortenedAnswer(JSON.stringify({ a: 'x'.repeat(5_000), b: [1, 2, 3] }), 400));
    expect(answer).toMatchObject({ b: [1, 2, 3], a: expect.stringMatching(/^x{200,400}…$/) });
    expect(shortened).toMatch(/of 5,000 characters at \/a/);
  });

  test.each([
    ['a sign', '{"zero":-0,'],
    ['a doubled name', '{"a":1,"a":2,'],
    ['an order', '{"b":2,"10":1,"9":3,'],
  ])('An answer that JavaScript would change is shortened as text: %s', (_what, start) => {
    const shortened = shortenedAnswer(`${start}"t":"${'x '.repeat(500)}"}`, 120);
    expect(shortened.startsWith(start)).toBe(true);
  });

  test.each(['{"id":9007199254740993,', '{"pi":3.14159265358979323846,', '{"far":1e400,'])(
    'A shortened answer keeps the digits of a number that JavaScript would round, and stays JSON: %s',
    (start) => {
      const shortened = shortenedAnswer(`${start}"t":"${'x '.repeat(500)}"}`, 120);
      expect(shortened).toContain(`"answer":${start}"t":"x x`);
      expect(() => read(shortened)).not.toThrow();
    },
  );

  test('A shortened answer stays JSON if a string in it begins with U+0000', () => {
    const value = { name: '\u0000abc', t: 'x '.repeat(500) };
    expect(read(shortenedAnswer(JSON.stringify(value), 120)).answer).toMatchObject({ name: value.name });
  });

  test('An answer of a million empty lines can be shortened', () => {
    expect(shortenedAnswer('\n'.repeat(1_000_000), 800_000)).toMatch(/characters are missing/);
  });

  test('A very deeply nested answer is shortened as text', () => {
    expect(shortenedAnswer('['.repeat(100_000) + ']'.repeat(100_000), 300).length).toBeLessThan(500);
  });

  test('An answer that is too long only because of white space loses nothing else', () => {
    const value = { a: [1, 2, 3] };
    expect(shortenedAnswer(JSON.stringify(value, null, 40), 30)).toBe(JSON.stringify(value));
  });

  test('A shortened answer of any JSON keeps parts unchanged, is JSON, and is about as long as allowed', () => {
    const law = fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 30, max: 400 }), (value, length) => {
      const text = JSON.stringify(value);
      const shortened = shortenedAnswer(text, length);
      expect(shortened.length).toBeLessThanOrEqual(text.length);
      if (text.length <= length) expect(shortened).toBe(text);
      else if (shortened !== text && typeof value === 'object' && !shortened.includes('characters are missing')) {
        const { answer } = read(shortened);
        expect(JSON.stringify(answer).length).toBeLessThanOrEqual(length + 60);
        expect(Array.isArray(answer)).toBe(Array.isArray(value));
      }
    });
    fc.assert(law, { numRuns: lawRuns(500) });
  });

  test.each<[what: string, value: object]>([
    ['of keys', members(texts(100_000), (i) => i)],
    ['of items', { items: times(30_000, (i) => ({ id: i, text: 'a "word", "[more]"\\' })) }],
    ['of text', { text: 'ab"\\\u0001'.repeat(500_000) }],
    ['of a text in a list', [['x'.repeat(4_000_000)]]],
  ])('A shortened answer of several megabytes %s stays JSON', (_, value) => {
    const text = JSON.stringify(value);
    const { shortened, answer } = read(shortenedAnswer(text, 5_000));
    expect(shortened).toMatch(/Missing: [\d,]+ of [\d,]+ (items|properties|characters) at /);
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(5_000);
    expect(JSON.stringify(answer).length).toBeGreaterThan(4_000);
  });

  test.each(['\u0001', '"', '\\', '\n', '😀', '\ud800', 'ab\n'])(
    'A shortened answer is within its limit even if its strings need escapes: %j',
    (part) => {
      for (const length of [100, 1_000]) {
        const shortened = shortenedAnswer(JSON.stringify({ text: part.repeat(5_000), next: 1 }), length);
        const { answer } = read(shortened);
        expect(JSON.stringify(answer).length).toBeLessThanOrEqual(length);
        expect(answer).toMatchObject({ next: 1, text: expect.stringContaining('…') });
        expect((answer as { text: string }).text.length).toBeGreaterThan(Math.floor(length / 8) - 4);
      }
    },
  );

  test.each([30, 40, 100, 139, 200])('A shortened answer leaves out whole numbers: %d characters', (length) => {
    const long = -2.2250738585072014e-308;
    const list = times(24, () => long);
    for (const value of [members(texts(12), () => long), list, { a: list }]) {
      const { shortened, answer } = read(shortenedAnswer(JSON.stringify(value), length));
      expect(shortened).toMatch(/Missing: \d+ of \d+ (properties|items)/);
      expect(JSON.stringify(answer).length).toBeLessThanOrEqual(length);
    }
  });

  test('A shortened answer of several texts keeps the short ones whole', () => {
    const [first, second] = shortenedAnswers(['a'.repeat(20), 'b'.repeat(1_000)], 300);
    expect(first).toBe('a'.repeat(20));
    expect(second).toMatch(/^b{100,}\n\[\d+ of 1,000/);
  });

  test('Texts of any kind stay within their common limit, notes included', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 900 }),
      fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value)),
    );
    const law = fc.property(fc.array(text, { maxLength: 12 }), fc.integer({ min: 200, max: 900 }), (parts, length) => {
      const whole = parts.filter((part) => part !== '').join('\n\n');
      const short = shortenedAnswers(parts, length)
        .filter((part) => part !== '')
        .join('\n\n');
      if (whole.length <= length) expect(short).toBe(whole);
      else expect(short).toMatch(/missing/i);
      expect(short.length).toBeLessThanOrEqual(length);
    });
    fc.assert(law, { numRuns: lawRuns(500) });
  });

  test('A shortened answer of very many texts leaves out the last ones, and says so once', () => {
    const many = times(1_000, (i) => `item ${i}: short`);
    const short = shortenedAnswers(many, 2_000);
    expect(short.join('').length).toBeLessThan(2_300);
    expect(short[0]).toBe(many[0]);
    expect(short[9]).toMatch(/^item 9: short\n\[[\d,]+ characters of further texts are missing/);
    expect(short.slice(10).every((text) => text === '')).toBe(true);
    expect(shortenedAnswers(many, 20_000)).toEqual(many);
  });
});
