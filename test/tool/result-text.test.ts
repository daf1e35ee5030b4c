import { describe, expect, test } from 'vitest';
import type { ContentBlock, ToolResult } from '../../src/mcp/index.js';
import { blockBytes, resultParts, resultText } from '../../src/tool/index.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';

function result(content: ContentBlock[], more: Partial<ToolResult> = {}): ToolResult {
  return { content, isError: false, raw: {}, ...more };
}

describe('resultText', () => {
  test('The text of a result adds structured content, unless a text says the same', () => {
    const structuredContent = { a: [1, { b: 2 }] };
    const repeated = { type: 'text', text: '{ "a": [1, {"b": 2}] }' };
    const done = { type: 'text', text: 'Done.' };
    expect(resultText(result([], { structuredContent }))).toBe('{"a":[1,{"b":2}]}');
    expect(resultText(result([repeated], { structuredContent }))).toBe(repeated.text);
    expect(resultText(result([done], { structuredContent }))).toBe('Done.\n\n{"a":[1,{"b":2}]}');
    expect(resultText(result([done], { structuredContent: 'Done.' }))).toBe('Done.');
    expect(resultText(result([], { structuredContent: null }))).toBe('null');
    const [json, text] = ['{"a":9007199254740993,"b":9007199254740995}', '{"b":9007199254740995,"a":9007199254740993}'];
    const structured = { structuredContent: JSON.parse(json) as unknown, structuredText: json };
    expect(resultText(result([{ type: 'text', text }], structured))).toBe(text);
  });

  test.each([50, 199, NaN])('A limit of %d characters, which leaves no room for notices, is refused', (longest) => {
    expect(() => resultText(result([]), longest)).toThrow('200 characters or more');
    const texts = resultParts(result([{ type: 'text', text: 'a'.repeat(300) }]), 200);
    expect(texts).toEqual([{ type: 'text', text: resultText(result([{ type: 'text', text: 'a'.repeat(300) }]), 200) }]);
  });

  test('The text of a result with its notices is within its limit', () => {
    const warnings = [{ code: 'session-lost', message: 'The server had lost its session.' }];
    const blocks = fc.array(fc.oneof(fc.string(), fc.string({ minLength: 300, maxLength: 3_000 })));
    const law = fc.property(blocks, fc.integer({ min: 200, max: 2_000 }), (texts, longest) => {
      const content = texts.map((each) => ({ type: 'text', text: each }));
      const text = resultText(result(content, { warnings }), longest);
      expect(text.length).toBeLessThanOrEqual(longest);
      expect(text).toContain('lost its session');
      const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
      const parts = resultParts(result([image, ...content], { warnings }), longest);
      const written = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      expect(written.join('\n\n').length).toBeLessThanOrEqual(longest);
    });
    fc.assert(law, { numRuns: lawRuns(200) });
  });

  test('The text of an empty result says that it is empty', () => {
    for (const content of [[], [{ type: 'text', text: '' }]])
      expect(resultText(result(content))).toBe('The tool returned no content.');
    expect(resultText(result([], { isError: true }))).toBe('The tool reported an error without details.');
  });
});

test.each<[string, ContentBlock, ReturnType<typeof blockBytes>]>([
  ['an image', { type: 'image', data: 'AAAA', mimeType: 'image/gif' }, { data: 'AAAA', mimeType: 'image/gif' }],
  ['a data URI', { type: 'image', data: ' DATA:image/png;base64,AAAA' }, { data: 'AAAA', mimeType: 'image/png' }],
  [
    'a data URI of text',
    { type: 'image', data: 'data:image/svg+xml,%3Csvg%20a="ß€"/%3E' },
    { data: btoa('<svg a="Ã\u009fâ\u0082¬"/>'), mimeType: 'image/svg+xml' },
  ],
  [
    'a data URI with a charset',
    { type: 'image', data: 'data:image/svg+xml;charset=utf-8,%00%ff' },
    { data: 'AP8=', mimeType: 'image/svg+xml' },
  ],
  [
    'a data URI with both',
    { type: 'image', data: 'data:image/png;name=a;base64,AAAA' },
    { data: 'AAAA', mimeType: 'image/png' },
  ],
  ['a sound without a type', { type: 'audio', data: 'AAAA' }, { data: 'AAAA', mimeType: undefined }],
  ['a resource', { type: 'resource', resource: { blob: 'AA==' } }, { data: 'AA==', mimeType: undefined }],
  ['a resource of text', { type: 'resource', mimeType: 'a/b', data: 'AAAA', resource: { text: 'a' } }, undefined],
  ['an image without data', { type: 'image', mimeType: 'image/png' }, undefined],
  ['text', { type: 'text', text: 'a', data: 'AAAA' }, undefined],
])('blockBytes returns the bytes of %s', (_name, block, bytes) => {
  expect(blockBytes(block)).toEqual(bytes);
});
