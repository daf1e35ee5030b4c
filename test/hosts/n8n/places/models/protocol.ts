import type { ServerResponse } from 'node:http';
import type { Reply } from '../../../../../test-support/model/script.js';

/** One provider's API: how requests describe tools and conversations, and how answers look. */
export interface Protocol {
  /** The routes of conversations, without the query. */
  readonly route: RegExp;
  /** The path of the tools in a request's body, and in each tool the paths of its name and schema. */
  readonly tools: Path;
  readonly toolName: Path;
  readonly toolSchema: Path;
  /** The conversation so far, oldest first. Only these three kinds of turns are kept. */
  turns(request: Json): Turn[];
  respond(response: ServerResponse, request: Json, reply: Reply): void;
}

export type Path = readonly (string | number)[];

export type Turn = { from: 'user' } | { from: 'model' } | { from: 'tool'; text: string };

export type Json = Record<string, unknown>;

export const user: Turn = { from: 'user' };
export const model: Turn = { from: 'model' };

export function toolTurn(content: unknown): Turn {
  return { from: 'tool', text: textOf(content) };
}

/** The calls of a reply with identifiers of nine letters and digits, which Mistral requires. */
export function callsOf(reply: Reply, turn: number): { id: string; name: string; args: Json }[] {
  if ('text' in reply) return [];
  return reply.calls.map(({ name, arguments: args }, index) => ({
    id: `c${String(turn).padStart(4, '0')}${String(index).padStart(4, '0')}`,
    name,
    args: typeof args === 'string' ? record(JSON.parse(args)) : args,
  }));
}

/** The same as chat completions and their imitators have them. */
export function functionCalls(reply: Reply, turn: number) {
  return callsOf(reply, turn).map(({ id, name, args }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

export function records(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const texts = records(content).map(({ text }) => text);
  return texts.length > 0 && texts.every((text) => typeof text === 'string')
    ? texts.join('')
    : JSON.stringify(content ?? '');
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
