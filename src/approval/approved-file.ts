import { ConfigurationError, isObject, parseJson } from '../json/index.js';
import type { ServerAddress } from '../mcp/index.js';
import { textDigest, toolDigest } from './digest.js';
import { type ApprovedText, type ApprovedTools, serverIdentity, sorted } from './approved-tools.js';

/**
 * The approved tools of servers by name: the contents of `mcp-verbatim.lock.json`, which `mcp-verbatim approve` writes.
 */
export interface ApprovedFile {
  readonly version: 1;
  readonly servers: Readonly<Record<string, ApprovedTools>>;
}

/**
 * Reads the text of such a file.
 *
 * @throws ConfigurationError if it is not one
 */
export function readApprovedFile(text: string): ApprovedFile {
  if (/^(?:<{7}|>{7})/m.test(text))
    throw new ConfigurationError('This file has the marks of a merge. Keep one side of each, and approve again.');
  const file = parseJson(text);
  if (!isObject(file) || file['version'] !== 1 || !isObject(file['servers']))
    throw new ConfigurationError('This is not a file of approved tools: expected { "version": 1, "servers": {…} }.');
  const servers = Object.entries(file['servers']).map(([name, approved]) => {
    const whose = `of the server ${JSON.stringify(name)}`;
    if (!isApprovedTools(approved))
      throw new ConfigurationError(`The approved tools ${whose} are not in the form that approve writes.`);
    const odd = partUnlikeItsDigest(approved);
    if (odd !== undefined)
      throw new ConfigurationError(`The text of ${odd} ${whose} does not match its digest. Approve it again.`);
    return [name, approved] as const;
  });
  return { version: 1, servers: Object.fromEntries(servers) };
}

/** Servers and tools are sorted by name, so that versions compare well. */
export function approvedFileText(servers: ApprovedFile['servers']): string {
  const ordered = sorted(servers).map(([name, approved]) => {
    return [name, { ...approved, tools: Object.fromEntries(sorted(approved.tools)) }] as const;
  });
  const file: ApprovedFile = { version: 1, servers: Object.fromEntries(ordered) };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Without a name, a server is found by its address, or is the only one: comparing then shows another address. */
export function approvedOf(
  { servers }: ApprovedFile,
  name: string | undefined,
  address?: ServerAddress,
): ApprovedTools | undefined {
  const key = name ?? (address && serverIdentity(address));
  if (key !== undefined && Object.hasOwn(servers, key)) return servers[key];
  const [only, ...others] = Object.values(servers);
  return name === undefined && others.length === 0 ? only : undefined;
}

function partUnlikeItsDigest({ tools, name, instructions }: ApprovedTools): string | undefined {
  const matches = ({ text, digest }: ApprovedText, digestOf: (text: string) => string) =>
    text === undefined || digestOf(text) === digest;
  if (name && !matches(name, textDigest)) return 'the name';
  if (instructions && !matches(instructions, textDigest)) return 'the instructions';
  const tool = Object.entries(tools).find(
    ([, each]) => (each.text !== undefined && parseJson(each.text) === undefined) || !matches(each, toolDigest),
  );
  return tool && `the tool ${JSON.stringify(tool[0])}`;
}

export function isApprovedTools(value: unknown): value is ApprovedTools {
  if (!isObject(value) || !isObject(value['tools'])) return false;
  const { server, name, instructions, tools } = value;
  const isText = (each: unknown) => each === undefined || isApprovedText(each);
  const hasServer = server === undefined || typeof server === 'string';
  return hasServer && isText(name) && isText(instructions) && Object.values(tools).every(isApprovedText);
}

function isApprovedText(value: unknown): value is ApprovedText {
  if (!isObject(value) || typeof value['digest'] !== 'string') return false;
  return value['text'] === undefined || typeof value['text'] === 'string';
}
