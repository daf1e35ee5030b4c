import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Offer } from '../../../../../test-support/n8n/offers.js';
import { childrenOf, sourceAt } from '../../../../../test-support/n8n/source.js';
import { sendJson } from './protocol.js';
import { keptOpen } from '../../../../../test-support/kept-open.js';

/** OpenAI's Assistants API with one assistant, which calls one tool and then says "Done." */
export interface Assistants extends AsyncDisposable {
  readonly url: string;
  /** Has the next conversation call a tool, and forgets what came. */
  play(name: string, args: object): void;
  /** The tools that the assistant had when it was asked, each with the very text of its schema. */
  offers(): Offer[];
  results(): string[];
}

const id = { thread: 'thread_1', run: 'run_1', call: 'call_1', assistant: 'asst_1' };

export async function startAssistants(): Promise<Assistants> {
  let call = { name: '', arguments: '' };
  let tools = '[]';
  let asked: string | undefined;
  let results: string[] | undefined;

  const http = createServer(keptOpen, (request, response) => {
    void readBody(request).then((body) => answer(request, body, response));
  });

  function answer({ method, url }: IncomingMessage, body: string, response: ServerResponse): void {
    const path = (url ?? '').replace(/\?.*/, '').replace('/v1', '');
    if (path === '/assistants' || path === `/assistants/${id.assistant}`) {
      if (method === 'POST') tools = sourceAt(body, 'tools') ?? tools;
      sendJson(response, { id: id.assistant, object: 'assistant', tools: JSON.parse(tools) as unknown });
      return;
    }
    if (path === '/threads/runs' || path === `/threads/${id.thread}/runs`) asked = tools;
    if (path.endsWith('/submit_tool_outputs')) {
      const { tool_outputs } = JSON.parse(body) as { tool_outputs: { output: string }[] };
      results = tool_outputs.map(({ output }) => output);
    }
    if (path.endsWith('/messages')) {
      sendJson(response, { object: 'list', data: [said('Done.')], has_more: false });
      return;
    }
    sendJson(response, run());
  }

  function run(): object {
    const head = { id: id.run, object: 'thread.run', thread_id: id.thread, assistant_id: id.assistant };
    if (results !== undefined) return { ...head, status: 'completed' };
    const tool_calls = [{ id: id.call, type: 'function', function: call }];
    return {
      ...head,
      status: 'requires_action',
      required_action: { type: 'submit_tool_outputs', submit_tool_outputs: { tool_calls } },
    };
  }

  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const { port } = http.address() as AddressInfo; // a TCP server's address is never a string
  return {
    url: `http://127.0.0.1:${port}/v1`,
    play(name, args) {
      call = { name, arguments: JSON.stringify(args) };
      tools = '[]';
      asked = results = undefined;
    },
    offers: () =>
      childrenOf(asked ?? '[]').map(({ source }) => ({
        name: JSON.parse(sourceAt(source, 'function', 'name') ?? '""') as string, // every tool has a name
        schema: sourceAt(source, 'function', 'parameters') ?? '',
      })),
    results: () => results ?? [],
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
    },
  };
}

function said(value: string): object {
  const content = [{ type: 'text', text: { value, annotations: [] } }];
  return { id: 'msg_1', object: 'thread.message', run_id: id.run, role: 'assistant', content };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding is set: chunks are buffers
  return Buffer.concat(chunks).toString('utf8');
}
