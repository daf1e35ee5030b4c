import { Annotation, Command, interrupt, MemorySaver, START, StateGraph, task } from '@langchain/langgraph';
import { expect, test } from 'vitest';
import { mcpTools } from '../../src/langchain/index.js';
import { programPath, startProgram } from '../../test-support/servers/program.js';

const asks = (message: string) => ({
  message,
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
});

test('before 2026-07-28 no answer reaches a later question, where a node runs again without its checkpoint', async () => {
  const server = await startProgram(programPath('sdk-v1.mjs'), ['http']);
  await using tools = await mcpTools({ url: server.url }, { elicit: { interrupt, task } });
  const asking = tools.find(({ name }) => name === 'asking');
  const args = { questions: [asks('Who are you?'), asks('And your friend?')], separately: true };
  const saver = new MemorySaver();
  const graph = new StateGraph(Annotation.Root({ answer: Annotation<unknown> }))
    .addNode('ask', async (_state, config) => ({ answer: await asking?.invoke(args, config) }))
    .addEdge(START, 'ask')
    .compile({ checkpointer: saver });
  const thread = { configurable: { thread_id: '1' } };
  const resumed = (name: string) =>
    graph.invoke(new Command({ resume: { action: 'accept', content: { name } } }), thread);
  await graph.invoke({}, thread);
  const before = structuredClone({ storage: saver.storage, writes: saver.writes });
  expect(JSON.stringify(await resumed('Ada'))).toContain('And your friend?');
  Object.assign(saver, before);
  await expect(resumed('Grace')).rejects.toThrow('session that is gone');
  await server.close();
});
