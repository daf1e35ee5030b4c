import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../test-support/demo-server/http.js';
import { useBench } from './harness.js';

describe('the tests of the credentials', () => {
  const bench = useBench();
  let server: Awaited<ReturnType<typeof startDemoServer>>;

  beforeAll(async () => {
    server = await startDemoServer();
  });
  afterAll(async () => {
    await server.stop();
  });

  const http = (url: string) => ({ url, transport: 'http', authentication: 'none' });

  const stdio = (command: string, args: string[] = []) => ({
    command,
    args: { values: args.map((value) => ({ value })) },
    environment: {},
    workingDirectory: '',
  });

  async function testCredential(
    type: string,
    data: Record<string, unknown>,
  ): Promise<{ status: string; message: string }> {
    const { id, name } = await bench.api.createCredential('Under test', type, data);
    return await bench.api.testCredential(id, name, type, data);
  }

  test('HTTP: connects, and says to what', async () => {
    const answer = await testCredential('mcpVerbatimHttpApi', http(server.url));
    expect(answer).toMatchObject({ status: 'OK' });
    expect(answer.message).toMatch(/demo 1\.0\.0, 3 tools/);
    expect(server.methods).toContain('initialize');
  });

  test.for([
    {
      what: 'nobody listens',
      type: 'mcpVerbatimHttpApi',
      data: http('http://127.0.0.1:9/mcp'),
      says: /127\.0\.0\.1:9/,
    },
    {
      what: 'no such program',
      type: 'mcpVerbatimStdioApi',
      data: stdio('/no/such/command'),
      says: /\/no\/such\/command/,
    },
  ])('$what: says so', async ({ type, data, says }) => {
    const answer = await testCredential(type, data);
    expect(answer.status).toBe('Error');
    expect(answer.message).toMatch(says);
  });
});
