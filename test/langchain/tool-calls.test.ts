import { readFileSync } from 'node:fs';
import { ToolMessage } from '@langchain/core/messages';
import type { ToolRunnableConfig } from '@langchain/core/tools';
import { expect, test } from 'vitest';
import * as errors from '../../src/internal.js';
import type { Target } from '../../src/langchain/call/perform.js';
import { McpTool, type McpToolsOptions } from '../../src/langchain/index.js';
import { schemaFor } from '../../src/programs/model-schema.js';
import { settled } from '../../test-support/waiting.js';

/** An error by the name of its class, with the arguments that make it and members that are set later. */
interface Thrown {
  error:
    'CancelledError' | 'ConnectionError' | 'InvalidArgumentsError' | 'InvalidResultError' | 'TimeoutError' | 'Error';
  of: never[];
  more?: object;
}
interface Case {
  title: string;
  /** The hooks are what they return. */
  options?: { before?: unknown; after?: unknown } & object;
  input: never;
  config?: ToolRunnableConfig & { aborted?: string };
  /** The answer of the server. */
  answer?: { result: object } & object;
  throws?: Thrown;
  isDeaf?: true;
  /** For the method that older programs call. */
  tags?: string[];
  comes: { seen?: unknown; outcome: unknown };
}

const cases = JSON.parse(readFileSync(new URL('./tool-calls.json', import.meta.url), 'utf8')) as Case[];
const inputSchema = { type: 'object', properties: { 'a b': {} } };
const tool = { name: 'pay', title: 'Pay', inputSchema, annotations: { readOnlyHint: true } };

function thrown({ error, of, more }: Thrown): Error {
  const kinds: Record<Thrown['error'], new (...all: never[]) => Error> = { ...errors, Error };
  return Object.assign(new kinds[error](...of), more);
}

/** Errors and messages with their members, and signals as such; callbacks are those of this test. */
function plain(this: Record<string, unknown>, at: string): unknown {
  const value = this[at];
  if (value instanceof AbortSignal || at === 'callbacks') return at;
  if (ToolMessage.isInstance(value)) {
    const { content, artifact, status, name, tool_call_id, metadata } = value as ToolMessage & { metadata: unknown };
    return { content, artifact: artifact as unknown, status, name, tool_call_id, metadata };
  }
  if (!(value instanceof Error)) return value;
  const { name, message, cause, artifact } = value as Error & { artifact?: unknown };
  return {
    name,
    message,
    cause: cause instanceof Error ? cause.message : cause,
    artifact,
    ...Object.fromEntries(Object.entries(value)),
  };
}

test.each(cases)('A tool for LangChain calls, tells and answers this: $title', async (given) => {
  const {
    options = {},
    input,
    config: { aborted, ...config } = {},
    answer,
    throws,
    isDeaf = false,
    tags,
    comes,
  } = given;
  const seen: unknown[] = [];
  const hook = (name: 'before' | 'after') => (about: object) => {
    seen.push([name, about]);
    return options[name] as never;
  };
  const call: Target['call'] = async (args, { onProgress, ...settings }, run) => {
    seen.push(['call', args, settings, run]);
    onProgress?.({ progress: 1, total: 2 });
    if (isDeaf) await settled();
    if (throws) throw thrown(throws);
    return { arguments: { sent: true }, repairs: [], warnings: [], ...answer } as never;
  };
  const hooks: McpToolsOptions = {
    ...options,
    before: hook('before'),
    after: hook('after'),
    onProgress: (...about) => void seen.push(['onProgress', ...about]),
  };
  const made = new McpTool({
    ...{ name: 'shop__pay', description: 'Pays.', server: 'shop', options: hooks, tool: tool as never, call },
    ...{ schema: schemaFor(inputSchema, { provider: 'anthropic' }, () => {}), extras: { own: 1 } },
  });
  const handler = {
    awaitHandlers: true,
    raiseError: isDeaf,
    handleToolStart: (_tool: unknown, text: string, ...[, , tags, metadata, name, id]: unknown[]) =>
      void seen.push(['start', text, tags, metadata, name, id]),
    handleToolEvent(event: unknown) {
      seen.push(['event', event]);
      if (isDeaf) throw new Error('Deaf.');
    },
    handleToolError: (error: unknown) => void seen.push(['error', error]),
    handleToolEnd: (output: unknown) => void seen.push(['end', output]),
  };
  const signal =
    aborted === undefined ? undefined : AbortSignal.abort(Object.assign(new Error('Over.'), { name: aborted }));
  const running = { ...config, callbacks: [handler as never], ...(signal && { signal }) };
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const called = tags ? made.call(input, running, tags) : made.invoke(input, running);
  const outcome: unknown = await called.catch((error: unknown) => ({ thrown: error }));
  const whole = JSON.stringify({ ...(comes.seen !== undefined && { seen }), outcome }, plain);
  expect(JSON.parse(whole)).toEqual(comes);
});
