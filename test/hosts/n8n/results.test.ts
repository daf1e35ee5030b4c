import { beforeEach, describe, expect, test } from 'vitest';
import { callTool, singleNodeWorkflow } from '../../../test-support/n8n/workflows.js';
import { useBench, type CredentialReference, usedEach } from './harness.js';
import { startRawServer, working } from './raw-server.js';

const text = (said: string) => ({ type: 'text', text: said });
const image = { type: 'image', data: Buffer.from('an image').toString('base64'), mimeType: 'image/png' };

describe('structured content', () => {
  const bench = useBench();
  const server = usedEach(startRawServer);
  let credential: CredentialReference;

  beforeEach(async () => {
    credential = await bench.httpCredential(server.url);
  });

  async function outputOf(result: object, options: object = {}) {
    server.play(working({ result: JSON.stringify(result) }));
    const node = callTool(credential, 'work', options, { typeVersion: 1.2 });
    const execution = await bench.run(singleNodeWorkflow(node));
    expect(execution.error).toBeUndefined();
    const [item] = execution.output('MCP Verbatim');
    return { item, hints: JSON.stringify(execution.runs['MCP Verbatim']?.[0]?.hints ?? []) };
  }

  test('with its only text, as the filesystem server has it, is the output, and nothing is said', async () => {
    const { item, hints } = await outputOf({ structuredContent: { content: 'a' }, content: [text('a'), image] });
    expect(item?.json).toEqual({ content: 'a' });
    expect(item?.binary).toMatchObject({ data: { mimeType: 'image/png' } });
    expect(hints).toBe('[]');
  });

  test('beside another text is the output, and a hint says where the rest is', async () => {
    const result = { structuredContent: { sum: 3 }, content: [text('All went well.')] };
    const { item, hints } = await outputOf(result);
    expect(item?.json).toEqual({ sum: 3 });
    expect(hints).toContain('gave more than structured content');
    expect((await outputOf(result, { raw: true })).item?.json).toEqual(result);
  });
});
