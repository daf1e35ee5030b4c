import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedFolder } from '../../../test-support/shared.js';
import { recordedServers } from './corpus.js';
import { useBench, type CredentialReference, used } from './harness.js';
import { startRawServer } from './raw-server.js';
import { singleNodeWorkflow, verbatim } from '../../../test-support/n8n/workflows.js';

const folder = sharedFolder('corpus');

describe('List Tools', () => {
  const bench = useBench();
  const server = used(startRawServer);
  let credential: CredentialReference;

  beforeAll(async () => {
    credential = await bench.httpCredential(server.url);
  });

  async function listed(workflow: string): Promise<string[]> {
    const execution = await bench.api.run(workflow, 'Start');
    return execution.output('MCP Verbatim').map(({ json }) => JSON.stringify(json));
  }

  test('gives the tool objects of the wire, unknown fields and key order included', async () => {
    const tools = [
      '{"name":"b","inputSchema":{"required":["z"],"properties":{"z":{"default":1,"type":"integer"},"a":{}},"type":"object"}}',
      '{"x-first":{"deep":[1,null]},"inputSchema":{"type":"object"},"_meta":{"k":true},"name":"a","annotations":{"title":"A"}}',
    ];
    server.play((method) => (method === 'tools/list' ? { result: `{"tools":[${tools.join(',')}]}` } : undefined));
    const workflow = singleNodeWorkflow(verbatim(credential, { operation: 'list', output: 'each' }));
    expect(await listed(await bench.api.createWorkflow(workflow))).toEqual(tools);
  });

  test.skipIf(folder === undefined)('gives those of every published server', async () => {
    const workflow = await bench.api.createWorkflow(
      singleNodeWorkflow(verbatim(credential, { operation: 'list', output: 'each' })),
    );
    const different: string[] = [];
    for (const { name, result, tools } of recordedServers(folder!)) {
      server.play((method) => (method === 'tools/list' ? { result } : undefined));
      const given = await listed(workflow);
      const wire = tools.map(({ text }) => JSON.stringify(JSON.parse(text)));
      if (!isDeepStrictEqual(given, wire)) different.push(name);
    }
    expect(different).toEqual([]);
  });
});
