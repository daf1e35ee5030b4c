// An agent of Mastra 0.24 for test/programs/frameworks/mastra-24.test.ts: it prints the outcome of the run.
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { mcpTools } from 'mcp-verbatim/mastra';

const [serverUrl = '', modelUrl = '', scenario = ''] = process.argv.slice(2);

// A waiting call reports progress, so the abort meets a running call.
const controller = new AbortController();
await using tools = await mcpTools(
  { url: serverUrl },
  { onProgress: () => controller.abort(), ...(scenario !== '' && { needsApproval: 'all' }) },
);
const model = { id: 'loopback/gpt-4o' as const, url: modelUrl, apiKey: 'none' };
const finder = new Agent({ id: 'finder', name: 'finder', instructions: 'Find them.', model, tools });
// It keeps the runs that wait for a person.
const agent = new Mastra({ agents: { finder }, storage: new InMemoryStore(), logger: false }).getAgent('finder');
const settings = { maxSteps: 8, abortSignal: controller.signal };
try {
  if (scenario === '') {
    const { text } = await agent.generate('Find them.', settings);
    console.log(JSON.stringify({ text }));
  } else {
    const stream = await agent.stream('Find them.', settings);
    let toolCallId = '';
    for await (const part of stream.fullStream)
      if (part.type === 'tool-call-approval') toolCallId = part.payload.toolCallId;
    const asked = toolCallId !== '';
    const decided = { runId: stream.runId, toolCallId };
    const decline = () => agent.declineToolCall(decided);
    const resumed = asked && (await (scenario === 'decline' ? decline() : agent.approveToolCall(decided)));
    console.log(JSON.stringify({ asked, text: resumed && (await resumed.text) }));
  }
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).name, message: (error as Error).message }));
}
