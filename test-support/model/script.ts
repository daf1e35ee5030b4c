import type { ChatRequest } from './model.js';

/** What the model answers: words, or calls of tools. */
export type Reply = { text: string } | { calls: ToolCall[] };

export interface ToolCall {
  /** The name that the host offered, see {@link offered}. */
  name: string;
  /** The arguments; a string is sent as it is, for a model that cannot write JSON. */
  arguments: Record<string, unknown> | string;
}

/** Decides on an answer from the whole conversation: it keeps no state, so that conversations may overlap. */
export type Script = (request: ChatRequest) => Reply;

/** The model that says one thing, whatever it is told. */
export function say(text: string): Script {
  return () => ({ text });
}

/**
 * Plays one step after the other, then repeats the last: the step is the number of answers since the last word
 * of the user.
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

/** A step that calls a tool of the server, under whatever name the host offers it. */
export function call(tool: string, args: ToolCall['arguments']): Script {
  return (request) => {
    const name = offered(request, tool);
    if (name === undefined) return { text: `I was not offered a tool named ${tool}.` };
    return { calls: [{ name, arguments: args }] };
  };
}

/** The name under which a host offers a tool: some put the node's name in front. */
export function offered(request: ChatRequest, tool: string): string | undefined {
  const names = (request.tools ?? []).map(({ function: { name } }) => name);
  return names.find((name) => name === tool) ?? names.find((name) => name.endsWith(`_${tool}`));
}
