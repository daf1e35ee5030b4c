import { describe, expect, test } from 'vitest';
import { lineSplitter } from '../../../src/mcp/wire/lines.js';

describe('Output is cut into lines', () => {
  function split(chunks: readonly (string | Buffer)[], maxBytes = 100, endsInReturn = false) {
    const splitter = lineSplitter(maxBytes, endsInReturn);
    const before = chunks.flatMap((chunk) => [...splitter.push(Buffer.from(chunk))]);
    const atEnd = splitter.end();
    return { lines: [...before, ...atEnd], atEnd, isTooLong: splitter.isTooLong };
  }
  const euro = Buffer.from('€');

  test.each<[string, (string | Buffer)[], string[]]>([
    ['one', ['a\n'], ['a']],
    ['several in one piece', ['a\nb\n\nc\n'], ['a', 'b', '', 'c']],
    ['one in several pieces', ['a', '', 'b', 'c\nd', 'e\n'], ['abc', 'de']],
    ['characters in several pieces', ['a', euro.subarray(0, 1), euro.subarray(1), '\n'], ['a€']],
    ['line ends of Windows', ['a\r\nb\r', '\n'], ['a', 'b']],
    ['a last one without its end', ['a\nb'], ['a', 'b']],
    ['nothing', [''], []],
  ])('%s', (_, chunks, lines) => {
    expect(split(chunks)).toMatchObject({ lines, isTooLong: false });
  });

  test('and at a carriage return alone only if that is asked for: within JSON it is a space', () => {
    const chunks = ['{"a":\r1,\r', '"b":2}\r\r\n', '\nc\r'];
    expect(split(chunks).lines).toEqual(['{"a":\r1,\r"b":2}\r', '', 'c']);
    expect(split(chunks, 100, true).lines).toEqual(['{"a":', '1,', '"b":2}', '', '', 'c']);
  });

  test('the last of which comes at the end', () => {
    expect(split(['a\nb']).atEnd).toEqual(['b']);
    expect(split(['a\n']).atEnd).toEqual([]);
  });

  test('of so many bytes, and not one more; then nothing is taken any more', () => {
    expect(split(['ab€\n', '12345', '\n'], 5)).toMatchObject({ lines: ['ab€', '12345'], isTooLong: false });
    for (const chunks of [
      ['a\nab€c\nb\n', 'c\n', 'd'],
      ['a\n', 'ab€', 'c', 'c', '\n', 'd\n'],
    ])
      expect(split(chunks, 5)).toEqual({ lines: ['a'], atEnd: [], isTooLong: true });
  });
});
