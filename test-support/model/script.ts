import type { ChatRequest } from './model.js';

/** A model's answer: words, or calls of tools. */
export type Reply = { text: string } | { calls: ToolCall[] };

export interface ToolCall {
  /** The name in the request, see {@link offered}. */
  name: string;
  /** The arguments. A string is sent unchanged, for a model that writes no valid JSON. */
  arguments: Record<string, unknown> | string;
}

/** Chooses an answer by the whole conversation. It keeps no state, so conversations may overlap. */
export type Script = (request: ChatRequest) => Reply;

/** A model that always says the same. */
export function say(text: string): Script {
  return () => ({ text });
}

/**
 * Plays one step after the other, then repeats the last. The step is the number of answers since the user's last
 * message.
 */
export function steps(...replies: (Reply | Script)[]): Script {
  return (request) => {
    const lastWord = request.messages.findLastIndex(({ role }) => role === 'user');
    const answers = request.messages.slice(lastWord + 1).filter(({ role }) => role === 'assistant').length;
    const reply = replies[Math.min(answers, replies.length - 1)];
    if (reply === undefined) throw new Error('A script needs at least one step.');
    return typeof reply === 'function' ? reply(request) : reply;
  };
}

/** A step that calls a server's tool by its name in the request. */
export function call(tool: string, args: ToolCall['arguments']): Script {
  return (request) => {
    const name = offered(request, tool);
    if (name === undefined) return { text: `I was not offered a tool named ${tool}.` };
    return { calls: [{ name, arguments: args }] };
  };
}

/** A tool's name in the request: some hosts put the node's name in front. */
export function offered(request: ChatRequest, tool: string): string | undefined {
  const names = (request.tools ?? []).map(({ function: { name } }) => name);
  return names.find((name) => name === tool) ?? names.find((name) => name.endsWith(`_${tool}`));
}
