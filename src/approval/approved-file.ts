import { isObject, parseJson } from '../json/index.js';
import type { ServerAddress } from '../mcp/index.js';
import { textDigest, toolDigest } from './digest.js';
import { type ApprovedText, type ApprovedTools, serverIdentity } from './approved-tools.js';

/** The approved tools of servers by name: what `mcp-verbatim approve` writes to `mcp-verbatim.lock.json`. */
export interface ApprovedFile {
  readonly version: 1;
  readonly servers: Readonly<Record<string, ApprovedTools>>;
}

/**
 * Reads the text of such a file.
 *
 * @throws TypeError if it is not one
 */
export function readApprovedFile(text: string): ApprovedFile {
  const file = parseJson(text);
  if (!isApprovedFile(file))
    throw new TypeError('This is not a file of approved tools: expected { "version": 1, "servers": {…} }.');
  for (const [name, approved] of Object.entries(file.servers)) {
    if (!isApprovedTools(approved))
      throw new TypeError(
        `The approved tools of the server ${JSON.stringify(name)} are not in the form that approve writes.`,
      );
    const odd = otherText(approved);
    if (odd !== undefined)
      throw new TypeError(
        `The text of ${odd} of the server ${JSON.stringify(name)} does not match its digest. Approve it again.`,
      );
  }
  return file;
}

/** The text of such a file. Servers and tools are sorted by name, so that versions compare well. */
export function approvedFileText(servers: ApprovedFile['servers']): string {
  const sorted = <T>(all: Readonly<Record<string, T>>, each: (value: T) => T = (value) => value) =>
    Object.fromEntries(
      Object.entries(all)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, value]) => [name, each(value)]),
    );
  const file: ApprovedFile = {
    version: 1,
    servers: sorted(servers, (approved) => ({ ...approved, tools: sorted(approved.tools) })),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/**
 * What was approved of one server, by its name. A server without a name is found by its address, or is the only server
 * in the file; comparing then shows that the address is another one.
 *
 * @returns undefined if the file does not have the server
 */
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

/** The part whose text, which is what people read and approve, does not match its digest. */
function otherText({ tools, name, instructions }: ApprovedTools): string | undefined {
  const matches = ({ text, digest }: ApprovedText, digestOf: (text: string) => string) =>
    text === undefined || digestOf(text) === digest;
  if (name && !matches(name, textDigest)) return 'the name';
  if (instructions && !matches(instructions, textDigest)) return 'the instructions';
  const tool = Object.entries(tools).find(
    ([, each]) => (each.text !== undefined && parseJson(each.text) === undefined) || !matches(each, toolDigest),
  );
  return tool && `the tool ${JSON.stringify(tool[0])}`;
}

function isApprovedFile(file: unknown): file is ApprovedFile {
  return isObject(file) && file['version'] === 1 && isObject(file['servers']);
}

/** Whether a value is what {@link approveTools} makes. */
export function isApprovedTools(value: unknown): value is ApprovedTools {
  if (!isObject(value) || !isObject(value['tools'])) return false;
  const { server, name, instructions } = value;
  if (server !== undefined && typeof server !== 'string') return false;
  return (
    [name, instructions].every((before) => before === undefined || isApprovedText(before)) &&
    Object.values(value['tools']).every(isApprovedText)
  );
}

function isApprovedText(value: unknown): value is ApprovedText {
  if (!isObject(value) || typeof value['digest'] !== 'string') return false;
  return value['text'] === undefined || typeof value['text'] === 'string';
}
