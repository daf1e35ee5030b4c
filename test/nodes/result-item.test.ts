import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { resultItem } from '../../nodes/McpVerbatim/result.js';
import type { ToolResult } from '../../src/internal.js';

const text = (text: string) => ({ type: 'text', text });
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };

async function itemOf(result: Partial<ToolResult>) {
  const hints: NodeExecutionHint[] = [];
  const context = {
    addExecutionHints: (...more: NodeExecutionHint[]) => hints.push(...more),
    helpers: {
      prepareBinaryData: (data: Buffer, fileName: string, mimeType?: string) =>
        Promise.resolve({ data: data.toString('base64'), fileName, mimeType }),
    },
  } as unknown as IExecuteFunctions; // only the members that the result needs
  const item = await resultItem(context, 'echo', { content: [], isError: false, raw: {}, ...result });
  return { ...item, hints: hints.map(({ message }) => message) };
}

describe('the item of a result', () => {
  test.each<[what: string, result: Partial<ToolResult>, json: object]>([
    ['nothing', {}, {}],
    ['JSON of an object', { content: [text('{"a":1}')] }, { a: 1 }],
    ['JSON of a list', { content: [text('[1]')] }, { data: [1] }],
    ['what nobody knows yet', { content: [{ type: 'new', of: 1 }] }, { content: [{ type: 'new', of: 1 }] }],
    ['a structured list', { structuredContent: [1] as never }, { data: [1] }],
  ])('The item of a result has the data of %s', async (_what, result, json) => {
    expect((await itemOf(result)).json).toEqual(json);
  });

  test('The item of a result has an integer that JavaScript would round as a string', async () => {
    const json = '{"id":4611686018427387905,"far":1E400,"n":7,"pi":3.14159265358979323846}';
    const exact = { id: '4611686018427387905', far: '1E400', n: 7, pi: Math.PI };
    expect((await itemOf({ content: [text(json)] })).json).toEqual(exact);
    const rawText = `{"structuredContent":${json},"content":[${JSON.stringify(text(json))}]}`;
    expect(await itemOf({ rawText })).toMatchObject({ json: exact, hints: [] });
    const unknown = `{"content":[{"type":"new","of":${json}},{"type":"text","text":"hi","_meta":${json}}]}`;
    const content = [
      { type: 'new', of: exact },
      { ...text('hi'), _meta: exact },
    ];
    expect((await itemOf({ rawText: unknown })).json).toEqual({ content });
  });

  test('The item of a result has the bytes of a data URI, in Base64 or as text, and its type', async () => {
    const { binary } = await itemOf({
      content: [
        { type: 'image', data: 'data:image/gif;base64,AAAA' },
        { type: 'resource', resource: { uri: 'a:b', blob: 'data:text/plain,%41BC' } },
      ],
    });
    expect(binary).toMatchObject({
      data: { data: 'AAAA', mimeType: 'image/gif' },
      data_1: { data: btoa('ABC'), mimeType: 'text/plain' },
    });
  });

  test.each([
    ['audio/mpeg', 'data.mp3'],
    ['no type', 'data'],
    ['image/../x', 'data'],
  ])('The item of a result names a file of the type %s %s', async (mimeType, fileName) => {
    expect((await itemOf({ content: [{ ...image, mimeType }] })).binary).toMatchObject({ data: { fileName } });
  });
});
