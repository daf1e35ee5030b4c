import { isObject, parseJson } from '../json/index.js';
import type { ServerAddress } from '../mcp/index.js';
import { textDigest, toolDigest } from './digest.js';
import { type Pin, type Pins, serverIdentity } from './pins.js';

/** What servers were approved with, by their names: what `mcp-verbatim pin` writes to `mcp-verbatim.lock.json`. */
export interface PinFile {
  readonly version: 1;
  readonly servers: Readonly<Record<string, Pins>>;
}

/**
 * Reads the text of such a file.
 *
 * @throws TypeError saying what is wrong with it
 */
export function readPinFile(text: string): PinFile {
  const file = parseJson(text);
  if (!isPinFile(file)) throw new TypeError('This is no file of pins: expected { "version": 1, "servers": {…} }.');
  for (const [name, pins] of Object.entries(file.servers)) {
    if (!isPins(pins))
      throw new TypeError(`The pins of the server ${JSON.stringify(name)} are not as pin writes them.`);
    const odd = otherText(pins);
    if (odd !== undefined)
      throw new TypeError(
        `The text of ${odd} of the server ${JSON.stringify(name)} is not the one that was pinned: it has another digest. Pin it anew.`,
      );
  }
  return file;
}

/** The text of a file of pins; the servers and tools stand in the order of their names, so that versions compare well. */
export function pinFileText(servers: PinFile['servers']): string {
  const sorted = <T>(all: Readonly<Record<string, T>>, each: (value: T) => T = (value) => value) =>
    Object.fromEntries(
      Object.entries(all)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, value]) => [name, each(value)]),
    );
  const file: PinFile = { version: 1, servers: sorted(servers, (pins) => ({ ...pins, tools: sorted(pins.tools) })) };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/**
 * The pins of one server: those under its name. A server that has no name of its own stands under its address; where it
 * does not, the only pins there are count, which say that the address is another one.
 *
 * @returns undefined where nothing of it is pinned
 */
export function pinsOf({ servers }: PinFile, name: string | undefined, address?: ServerAddress): Pins | undefined {
  const key = name ?? (address && serverIdentity(address));
  if (key !== undefined && Object.hasOwn(servers, key)) return servers[key];
  const [only, ...others] = Object.values(servers);
  return name === undefined && others.length === 0 ? only : undefined;
}

/** Whose text, which is what people read and approve, is not the one that the digest beside it is of. */
function otherText({ tools, name, instructions }: Pins): string | undefined {
  if (isOther(name)) return 'the name';
  if (isOther(instructions)) return 'the instructions';
  for (const [name, { digest, text }] of Object.entries(tools))
    if (text !== undefined && (parseJson(text) === undefined || toolDigest(text) !== digest))
      return `the tool ${JSON.stringify(name)}`;
  return undefined;
}

function isOther({ text, digest }: Partial<Pin> = {}): boolean {
  return text !== undefined && textDigest(text) !== digest;
}

function isPinFile(file: unknown): file is PinFile {
  return isObject(file) && file['version'] === 1 && isObject(file['servers']);
}

/** Whether a value is what {@link pinTools} makes. */
export function isPins(value: unknown): value is Pins {
  if (!isObject(value) || !isObject(value['tools'])) return false;
  const { server, name, instructions } = value;
  if (server !== undefined && typeof server !== 'string') return false;
  return (
    [name, instructions].every((pin) => pin === undefined || isPin(pin)) && Object.values(value['tools']).every(isPin)
  );
}

function isPin(value: unknown): value is Pin {
  if (!isObject(value) || typeof value['digest'] !== 'string') return false;
  return value['text'] === undefined || typeof value['text'] === 'string';
}
