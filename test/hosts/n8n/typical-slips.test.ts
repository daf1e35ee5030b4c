import { beforeEach, describe, expect, test } from 'vitest';
import { canonicalText } from '../../../src/json/index.js';
import type { Script, ToolCall } from '../../../test-support/model/script.js';
import { agentWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';
import { typicalSlips } from '../../../test-support/schemas/typical-slips.js';
import { startReplayServer } from '../../../test-support/servers/replay.js';
import { useBench, used, usedCredential } from './harness.js';

const nameOf = (index: number) => `tool_${index}`;
const tools = typicalSlips.map(({ schema }, index) => ({
  name: nameOf(index),
  description: 'A tool.',
  inputSchema: schema,
}));

describe('45 typical malformed arguments, through the AI Agent', () => {
  const bench = useBench();
  const server = used(() =>
    startReplayServer({ slips: [JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } })] }),
  );
  const credential = usedCredential(bench, () => server.url('slips'));

  beforeEach(() => server.forget());

  /** The arguments that the server received for a tool, in order. */
  function received(index: number): (string | undefined)[] {
    return server
      .requests('slips')
      .filter(({ method, params }) => method === 'tools/call' && params?.['name'] === nameOf(index))
      .map(({ params }) => canonicalText(params?.['arguments']));
  }

  /** A model that makes every slip at once, and sends the intended arguments after each refusal. */
  const model: Script = ({ messages }) => {
    const callsOf = (key: 'sent' | 'meant', indexes: readonly number[]): { calls: ToolCall[] } => ({
      calls: indexes.map((index) => ({ name: nameOf(index), arguments: { ...typicalSlips[index]?.[key] } })),
    });
    // n8n may split one answer of the model into several messages.
    const turn = bench.model.requests.length;
    if (turn === 1) return callsOf('sent', [...typicalSlips.keys()]);
    const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
    const told = answers.join('\n').replaceAll('\\', '');
    const refused = [...typicalSlips.keys()].filter((index) => told.includes(`tool "${nameOf(index)}"`));
    return turn === 2 && refused.length > 0 ? callsOf('meant', refused) : { text: 'Done.' };
  };

  test.for([
    { what: 'off', options: repair('off'), right: 0 },
    { what: 'integers', options: repair('integers'), right: 4 },
    { what: 'nothing: safe', options: {}, right: 31 },
    { what: 'all', options: repair('all'), right: 39 },
  ])('$what: $right arrive right at the first try, none wrong, all at the second', async (choice) => {
    const { options, right } = choice;
    bench.model.play(model);
    const tool = verbatimTool(credential, { options });
    const execution = await bench.run(agentWorkflow(bench.modelNode, [tool]));
    expect(execution.error).toBeUndefined();
    const firstTurn = bench.model.requests[1]?.json.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(firstTurn).toHaveLength(45);
    const refusals = firstTurn.filter(({ content }) => JSON.stringify(content).includes('The tool was not called.'));
    expect(refusals).toHaveLength(45 - right);
    for (const [index, { what, meant }] of typicalSlips.entries()) {
      expect(received(index), what).toEqual([canonicalText(meant)]);
    }
  });
});

function repair(preset: string): object {
  return { repairs: { values: { repair: preset } } };
}
