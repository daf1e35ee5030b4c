import { createRequire } from 'node:module';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { callOf, execution, named } from './context.js';
import { unpackedPackage } from './packed.js';

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

// Over the official example server, started as a process by each execution.
const packed = unpackedPackage();

describe('a result as an item', () => {
  test('several blocks stand under content, in their order, and images are binary data', async () => {
    const [item] = await call('get-tiny-image', {});
    const text = { type: 'text', text: expect.any(String) };
    expect(item?.json).toEqual({ content: [text, { type: 'image', mimeType: 'image/png', binary: 'data' }, text] });
    const { data = '', ...file } = item?.binary?.['data'] ?? {};
    expect(file).toMatchObject({ mimeType: 'image/png', fileName: 'data.png' });
    expect(Buffer.from(data, 'base64').subarray(1, 4).toString()).toBe('PNG');
  });

  test('the raw result is what the server sent', async () => {
    const [item] = await call('echo', { message: 'hi' }, { raw: true });
    expect(item?.json).toEqual({ content: [{ type: 'text', text: 'Echo: hi' }] });
  });
});

describe('resources', () => {
  test('are listed as the server describes them, one item each', async () => {
    const items = await operation({ resource: 'resource', operation: 'list' });
    expect(items.length).toBeGreaterThan(1);
    for (const { json, pairedItem } of items) {
      expect(json).toMatchObject({ uri: expect.any(String), name: expect.any(String) });
      expect(pairedItem).toEqual({ item: 0 });
    }
  });

  test('have templates', async () => {
    const [template] = await operation({ resource: 'resource', operation: 'listTemplates' });
    expect(template?.json['uriTemplate']).toContain('{');
  });

  test('are read: text as it is', async () => {
    const [part] = await operation({ resource: 'resource', operation: 'read', uri: 'demo://resource/dynamic/text/1' });
    expect(part?.json).toMatchObject({
      uri: 'demo://resource/dynamic/text/1',
      text: expect.stringContaining('Resource 1'),
    });
  });

  test('are read: anything else as binary data', async () => {
    const [part] = await operation({ resource: 'resource', operation: 'read', uri: 'demo://resource/dynamic/blob/1' });
    expect(part?.json).not.toHaveProperty('blob');
    expect(Buffer.from(part?.binary?.['data']?.data ?? '', 'base64').toString()).toContain('Resource 1');
  });

  test('that are not there are an error of the node', async () => {
    await expect(operation({ resource: 'resource', operation: 'read', uri: 'demo://nowhere' })).rejects.toThrow();
    await expect(operation({ resource: 'resource', operation: 'read', uri: ' ' })).rejects.toThrow(
      'No resource is chosen',
    );
  });
});

describe('prompts', () => {
  test('are listed', async () => {
    const items = await operation({ resource: 'prompt', operation: 'list' });
    expect(items.map(({ json }) => json['name'])).toContain('args-prompt');
  });

  test('are filled in by the server', async () => {
    const [item] = await operation({
      resource: 'prompt',
      operation: 'get',
      prompt: named('args-prompt'),
      arguments: '{"city":"Rome"}',
    });
    expect(JSON.stringify(item?.json['messages'])).toContain('Rome');
  });
});

async function call(tool: string, args: object, options: INodeParameters = {}): Promise<INodeExecutionData[]> {
  return await operation({ ...callOf(tool, args), options });
}

async function operation(parameters: INodeParameters): Promise<INodeExecutionData[]> {
  const credentials = {
    mcpVerbatimStdioApi: { command: process.execPath, args: { values: [{ value: everything }, { value: 'stdio' }] } },
  };
  const node = {
    type: packed.node('McpVerbatim'),
    parameters: { transport: 'stdio', resource: 'tool', ...parameters },
    credentials,
  };
  return await execution(node).output();
}
