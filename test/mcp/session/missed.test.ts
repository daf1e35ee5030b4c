import { describe, expect, test, vi } from 'vitest';
import { approveTools, readApprovedFile, approvedFileText } from '../../../src/internal.js';
import { mcpTools } from '../../../src/langchain/index.js';
import { connect } from '../../../src/mcp/index.js';
import { type Exchange, startHttpServer } from '../../../test-support/servers/http.js';
import { until } from '../../../test-support/waiting.js';

const capabilities = { tools: { listChanged: true } };

/** A server without sessions that announces changes, and ends its stream when it is redeployed. */
async function deployed(revision: '2025-11-25' | '2026-07-28') {
  let version = 1;
  let end = () => {};
  const listens = ({ response, stream }: Exchange) => {
    end = () => response.end();
    stream()({ method: 'notifications/subscriptions/acknowledged', params: {} });
  };
  const server = await startHttpServer({
    GET: listens,
    'subscriptions/listen': listens,
    'server/discover': ({ result, status }) =>
      revision === '2026-07-28' ? result({ supportedVersions: [revision], capabilities }) : status(400),
    initialize: ({ introduce }) => introduce({ protocolVersion: revision, capabilities }),
    'tools/list': ({ result }) =>
      result({ tools: [{ name: 'echo', description: `version ${version}`, inputSchema: { type: 'object' } }] }),
  });
  const count = (what: string) =>
    server.seen.filter(({ verb, message }) => verb === what || (verb === 'POST' && message.method === what)).length;
  return {
    server,
    count,
    isHeard: () => count('GET') + count('subscriptions/listen') > 0,
    deploy() {
      version++;
      end();
    },
  };
}

describe.each(['2025-11-25', '2026-07-28'] as const)('A server of %s without sessions', (revision) => {
  test('After a break in the announcements of a server without sessions, its tools are listed again before a call, and a changed tool is refused', async () => {
    const deployment = await deployed(revision);
    await using server = deployment.server;
    const { count, isHeard, deploy } = deployment;
    const address = { url: server.url };
    const session = await connect(address);
    const approval = approvedFileText({ '': approveTools(await session.listTools(), address) });
    await session.close();
    server.seen.length = 0;

    await using tools = await mcpTools(address, { approved: readApprovedFile(approval), onFailure: 'throw' });
    await until(isHeard);
    expect(await tools[0]!.invoke({})).toBe('{}');
    expect(await tools[0]!.invoke({})).toBe('{}');
    expect([count('tools/list'), count('tools/call')]).toEqual([1, 2]);
    const echo = tools[0]!;
    deploy();
    await until(() => count('GET') + count('subscriptions/listen') > 1);
    await expect(echo.invoke({})).rejects.toMatchObject({ code: 'NOT_AS_APPROVED' });
    expect([count('tools/list'), count('tools/call')]).toEqual([2, 2]);
  });
});

test.each([
  [1, 2],
  [3_600_000, 1],
  [0, 1],
  ['soon', 1],
])('A list with ttlMs %j is read %i times by a session that lists twice', async (ttlMs, times) => {
  await using server = await startHttpServer({
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    'tools/list': ({ message, result }) =>
      result(message.params?.['cursor'] ? { tools: [], ttlMs: 7_200_000 } : { tools: [], ttlMs, nextCursor: 'next' }),
  });
  await using session = await connect({ url: server.url }, { revisions: 'stateless-first' });
  await session.listTools();
  const later = performance.now() + 60_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
  await session.listTools();
  clock.mockRestore();
  expect(server.methods().filter((method) => method === 'tools/list')).toHaveLength(2 * times);
});
