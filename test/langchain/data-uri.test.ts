import { expect, test } from 'vitest';
import { mcpTools } from '../../src/langchain/index.js';
import { startHttpServer } from '../../test-support/servers/http.js';

test.each([
  [{ data: 'data:image/png;base64,iVBORw0=' }],
  [{ data: 'data:image/png;base64,iVBORw0=', mimeType: 'image/png' }],
  [{ data: 'iVBORw0=', mimeType: 'image/png' }],
])('An image %j reaches the model as one data URI', async (image) => {
  await using server = await startHttpServer({ 'tools/call': { content: [{ type: 'image', ...image }] } });
  await using tools = await mcpTools({ url: server.url });
  const url = 'data:image/png;base64,iVBORw0=';
  expect(await tools[0]!.invoke({})).toEqual([{ type: 'image_url', image_url: { url } }]);
});
