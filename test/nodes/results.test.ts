import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Program } from '../../test-support/servers/program.js';
import { startEverything } from '../../test-support/servers/published.js';
import { atUrl, callOf, execution } from './context.js';
import { built } from './packed.js';

// Calls the official example server.
let server: Program;
beforeAll(async () => {
  server = await startEverything();
});
afterAll(() => server.close());

describe('a result as an item', () => {
  test('Several blocks of a result are listed under content in their order, and images are binary data', async () => {
    const [item] = await call('get-tiny-image', {});
    const text = { type: 'text', text: expect.any(String) };
    expect(item?.json).toEqual({ content: [text, { type: 'image', mimeType: 'image/png', binary: 'data' }, text] });
    const { data = '', ...file } = item?.binary?.['data'] ?? {};
    expect(file).toMatchObject({ mimeType: 'image/png', fileName: 'data.png' });
    expect(Buffer.from(data, 'base64').subarray(1, 4).toString()).toBe('PNG');
  });

  test('The raw result is the object that the server sent', async () => {
    const [item] = await call('echo', { message: 'hi' }, { rawResult: true });
    expect(item?.json).toEqual({ content: [{ type: 'text', text: 'Echo: hi' }] });
  });
});

describe('resources', () => {
  const read = (uri: string) => operation({ resource: 'resource', operation: 'read', uri });

  test('Resources are listed as the server describes them, one item each, and so are templates', async () => {
    const items = await operation({ resource: 'resource', operation: 'list' });
    expect(items.length).toBeGreaterThan(1);
    for (const { json, pairedItem } of items) {
      expect(json).toMatchObject({ uri: expect.any(String), name: expect.any(String) });
      expect(pairedItem).toEqual({ item: 0 });
    }
    const [template] = await operation({ resource: 'resource', operation: 'listTemplates' });
    expect(template?.json['uriTemplate']).toContain('{');
  });

  test('Resources are read: text as it is, anything else as binary data', async () => {
    const uri = 'demo://resource/dynamic/text/1';
    const [text] = await read(uri);
    expect(text?.json).toMatchObject({ uri, text: expect.stringContaining('Resource 1') });
    const [part] = await read('demo://resource/dynamic/blob/1');
    expect(part?.json).not.toHaveProperty('blob');
    expect(Buffer.from(part?.binary?.['data']?.data ?? '', 'base64').toString()).toContain('Resource 1');
  });
});

const call = (tool: string, args: object, options: INodeParameters = {}) =>
  operation({ ...callOf(tool, args), options });

async function operation(parameters: INodeParameters): Promise<INodeExecutionData[]> {
  const type = built.node('McpVerbatim');
  return await execution({ type, parameters, credentials: atUrl(server.url) }).output();
}
