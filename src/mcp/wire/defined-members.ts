import { filtered, isObject, JsonScanner, objectText, readingsOf } from '../../json/index.js';
import type { JsonObject } from '../../json/index.js';

/** Members by name; `*` means any name, `true` any value. */
interface Shape {
  readonly [name: string]: Shape | true;
}

const some = (...names: readonly string[]): Shape => Object.fromEntries(names.map((name) => [name, true]));

/** Results of a server's requests, by method. */
const answers: Readonly<Record<string, Shape>> = {
  'elicitation/create': some('action', 'content', 'task', '_meta'),
  'sampling/createMessage': some('role', 'content', 'model', 'stopReason', 'task', '_meta'),
  'roots/list': some('roots', '_meta'),
};
const inputResponses: Shape = { '*': Object.assign({}, ...Object.values(answers)) as Shape };
const withAnswers: Shape = { inputResponses, requestState: true };

/** Texts that pass in both directions. */
const texts: Readonly<Record<string, Shape>> = {
  ...answers,
  error: some('code', 'message', 'data'),
  'notifications/progress': some('progress', 'total', 'message', '_meta'),
};

/** The members that the revisions define for a call (2024-11-05 to 2026-07-28). */
const callMembers: Shape = { name: true, arguments: true, task: some('ttl'), ...withAnswers, _meta: true };

/** The params of requests and notifications of clients. `_meta` may be in all of them. */
const params: Readonly<Record<string, Shape>> = {
  initialize: some('protocolVersion', 'capabilities', 'clientInfo'),
  'tools/list': some('cursor'),
  'tools/call': callMembers,
  'prompts/list': some('cursor'),
  'prompts/get': { name: true, arguments: true, ...withAnswers },
  'resources/list': some('cursor'),
  'resources/templates/list': some('cursor'),
  'resources/read': { uri: true, ...withAnswers },
  'resources/subscribe': some('uri'),
  'resources/unsubscribe': some('uri'),
  'completion/complete': {
    ref: some('type', 'name', 'title', 'uri'),
    argument: some('name', 'value'),
    context: some('arguments'),
  },
  'logging/setLevel': some('level'),
  'subscriptions/listen': some('notifications'),
  'tasks/get': some('taskId'),
  'tasks/list': some('cursor'),
  'tasks/result': some('taskId'),
  'tasks/cancel': some('taskId'),
  'tasks/update': { taskId: true, inputResponses },
  'notifications/cancelled': some('requestId', 'reason'),
};

const justMeta: Shape = { _meta: true };
const shapes = new Map(Object.entries(params).map(([method, shape]) => [method, { ...shape, ...justMeta }]));

const prefix = 'io.modelcontextprotocol/';
const ofEnvelope = ['protocolVersion', 'clientInfo', 'clientCapabilities', 'logLevel'];
const ofProtocol = [...ofEnvelope, 'related-task', 'subscriptionId'].map((name) => `${prefix}${name}`);
const reserved: readonly string[] = ['progressToken', ...ofProtocol];
const reservedReadings = new Set(reserved.flatMap(readingsOf));

/**
 * The params with only the members that MCP defines: servers that ignore the case of names would take `Arguments` for
 * `arguments`. In `_meta`, which is open, no name may resemble an entry of the protocol.
 *
 * @returns `others`: the names of the removed members
 */
export function definedParams(method: string, given: JsonObject): { defined: JsonObject; others: readonly string[] } {
  const others: string[] = [];
  const { _meta: meta } = given;
  const isMeta = (name: string) =>
    reserved.includes(name) || !readingsOf(name).some((reading) => reservedReadings.has(reading)) || !others.push(name);
  const defined = only(shapes.get(method) ?? justMeta, given, others);
  return { defined: isObject(meta) ? { ...defined, _meta: filtered(meta, isMeta) } : defined, others };
}

function only(shape: Shape, given: JsonObject, others: string[]): JsonObject {
  if (Object.keys(given).every((name) => Object.hasOwn(shape, name) && shape[name] === true)) return given;
  const members = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const inner = Object.hasOwn(shape, name) ? shape[name] : shape['*'];
    if (inner === undefined) others.push(name);
    if (inner === undefined) return [];
    return [[name, inner !== true && isObject(value) ? only(inner, value, others) : value]];
  });
  return Object.fromEntries(members);
}

/** The text of a result (by its method), an error or a report of progress, with the members that MCP defines. */
export function definedText(kind: string, text: string): string {
  const shape = texts[kind] ?? {};
  const json = new JsonScanner(text);
  const members = Array.from(json.members(json.root()), ([key, value]) => [json.name(key), value] as const);
  const known = new Map(members.filter(([name]) => Object.hasOwn(shape, name)));
  if (known.size === members.length) return text;
  return objectText(Array.from(known, ([name, value]) => [name, json.slice(value)]));
}
