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

  async function outputOf(result: object, options: object = {}, typeVersion = 1.2) {
    server.play(working({ result: JSON.stringify(result) }));
    const node = callTool(credential, 'work', options, { typeVersion });
    const execution = await bench.run(singleNodeWorkflow(node));
    expect(execution.error).toBeUndefined();
    const [item] = execution.output('MCP Verbatim');
    return { item, hints: JSON.stringify(execution.runs['MCP Verbatim']?.[0]?.hints ?? []) };
  }

  test.each([
    { what: 'without anything else', structuredContent: { sum: 3 }, content: [] },
    { what: 'with its copy', structuredContent: { sum: 3 }, content: [text('{"sum":3}')] },
    {
      what: 'with its only text, as the filesystem server has it',
      structuredContent: { content: 'a' },
      content: [text('a')],
    },
  ])('$what is the output, and nothing is said', async ({ structuredContent, content }) => {
    const { item, hints } = await outputOf({ structuredContent, content });
    expect(item?.json).toEqual(structuredContent);
    expect(hints).toBe('[]');
  });

  test('beside another text is the output, and a hint says where the rest is', async () => {
    const result = { structuredContent: { sum: 3 }, content: [text('All went well.')] };
    const { item, hints } = await outputOf(result);
    expect(item?.json).toEqual({ sum: 3 });
    expect(hints).toContain('gave more than structured content');
    expect((await outputOf(result, { raw: true })).item?.json).toEqual(result);
  });

  test('beside an image is the output, and the image is a file', async () => {
    const { item, hints } = await outputOf({ structuredContent: { sum: 3 }, content: [image] });
    expect(item?.json).toEqual({ sum: 3 });
    expect(item?.binary).toMatchObject({ data: { mimeType: 'image/png' } });
    expect(hints).toBe('[]');
  });

  test.each([1, 1.1])('of a node saved by version %d has the other content beside it', async (version) => {
    const beside = await outputOf({ structuredContent: { sum: 3 }, content: [text('Fine.')] }, {}, version);
    expect(beside.item?.json).toEqual({ sum: 3, content: [text('Fine.')] });
    const around = await outputOf({ structuredContent: { content: 'a' }, content: [text('a')] }, {}, version);
    expect(around.item?.json).toEqual({ structuredContent: { content: 'a' }, content: [text('a')] });
  });
});
