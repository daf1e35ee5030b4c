import { PromptTemplate } from '@langchain/core/prompts';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { ISupplyDataFunctions } from 'n8n-workflow';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { serveOverHttp, type ServerOverHttp } from '../../test-support/demo-server/http.js';
import { createDemoServer, type ReceivedCall } from '../../test-support/demo-server/server.js';
import { tools as demoTools } from '../../test-support/demo-server/tools.js';
import { atUrl, execution } from './context.js';
import { unpackedPackage } from './packed.js';

const person = '123e4567-e89b-12d3-a456-426614174000';
const slips = { queries: [{ fg_id: person, ageMin: '30' }], limit: '100', 'x-trace': 'abc' };
const repaired = { queries: [{ fg_id: person, ageMin: 30 }], limit: 100, 'x-trace': 'abc' };

describe('a tool for an agent whose model writes its calls as text', () => {
  const packed = unpackedPackage();
  let server: ServerOverHttp;
  let calls: ReceivedCall[];

  beforeEach(async () => {
    calls = [];
    server = await serveOverHttp(() => createDemoServer((call) => calls.push(call)));
    onTestFinished(() => server.stop());
  });

  test('is not of the class that n8n refuses there', async () => {
    const [tool] = await toolsFor('reActAgent', 1.9);
    expect(tool!.constructor.name).not.toBe('DynamicStructuredTool');
  });

  test.each(['conversationalAgent', 'reActAgent'])(
    'has the schema in its description, ready for the template of a prompt: %s',
    async (kind) => {
      const told = await Promise.all((await toolsFor(kind, 1.4)).map(({ description }) => rendered(description)));
      expect(told).toHaveLength(demoTools.length);
      for (const [index, { inputSchema }] of demoTools.entries())
        expect(told[index]).toContain(JSON.stringify(inputSchema));
    },
  );

  test('is described as the server does where the agent shows the schema itself', async () => {
    const told = (await toolsFor('planAndExecuteAgent', 1.9)).map(({ description }) => description);
    expect(told).toEqual(demoTools.map(({ description }) => description));
  });

  test.each([
    ['an object', slips],
    ['JSON text', JSON.stringify(slips)],
    ['JSON text in a fence', `\`\`\`json\n${JSON.stringify(slips)}\n\`\`\``],
  ])('takes %s', async (_form, input) => {
    const [tool] = await toolsFor('reActAgent', 1.9);
    expect(await tool?.invoke(input)).toContain('done');
    expect(calls.map((call) => call.arguments)).toEqual([repaired]);
  });

  test('says what it wants where it is given something else', async () => {
    const [tool] = await toolsFor('reActAgent', 1.9);
    expect(await tool?.invoke('everybody')).toContain('one JSON object');
    expect(calls).toEqual([]);
  });

  test('is like everywhere else for a Tools Agent', async () => {
    const [tool] = await toolsFor('toolsAgent', 1.9);
    expect(tool?.constructor.name).toBe('DynamicStructuredTool');
  });

  async function toolsFor(agent: string, typeVersion: number): Promise<StructuredToolInterface[]> {
    const run = execution({ type: packed.node('McpVerbatimTool'), credentials: atUrl(server.url) });
    const parentNode = { name: 'AI Agent', type: '@n8n/n8n-nodes-langchain.agent', typeVersion, parameters: { agent } };
    const context: ISupplyDataFunctions = Object.create(run.supply(), { parentNode: { value: parentNode } });
    const supplied = await packed.node('McpVerbatimTool').supplyData?.call(context, 0);
    return (supplied?.response as { getTools(): StructuredToolInterface[] }).getTools();
  }
});

async function rendered(template: string): Promise<string> {
  return await PromptTemplate.fromTemplate(template).format({});
}
