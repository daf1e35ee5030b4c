import { McpError } from '../mcp/index.js';
import type { Catalogue, ServerAddress, SetAsideTool } from '../mcp/index.js';
import { comparePins, type PinDifference, type Pins } from './pins.js';

/**
 * What becomes of tools that differ from what was approved: they are offered all the same, or set aside, or nothing of the
 * server is offered. New tools, renamed ones among them, are never offered before they are approved.
 */
export type WhenChanged = 'warn' | 'set-aside' | 'fail';

/** How a server is held to what was approved. */
export interface ApprovalOptions {
  /** Where the server is. */
  readonly address?: ServerAddress | undefined;
  /** Default: 'set-aside'. */
  readonly whenChanged?: WhenChanged | undefined;
  /** Which tools matter, by their names at the server; whatever becomes of the others is passed over. Default: all. */
  readonly matters?: (name: string) => boolean;
}

/** What is left of a list, and why. */
export interface Approved {
  readonly catalogue: Catalogue;
  readonly differences: readonly PinDifference[];
}

/**
 * A server's tools without those that nobody approved. Where the server itself is another one, none of its tools counts
 * as approved.
 *
 * ```ts
 * const { catalogue, differences } = approvedTools(await session.listTools(), pins, { whenChanged: 'warn' });
 * ```
 *
 * @throws McpError (PINS_DIFFER) where anything differs and `whenChanged` is 'fail'
 */
export function approvedTools(catalogue: Catalogue, pins: Pins, options: ApprovalOptions = {}): Approved {
  const { address, whenChanged = 'set-aside', matters = () => true } = options;
  const differences = comparePins(pins, catalogue, address).filter(({ tool }) => tool === undefined || matters(tool));
  if (whenChanged === 'fail' && differences.length > 0) throw differing(differences);
  const refused = new Map<string | undefined, PinDifference>();
  for (const difference of differences) {
    const isOffered = whenChanged === 'warn' && (difference.kind === 'changed' || difference.kind === 'server');
    if (!isOffered && difference.kind !== 'removed') refused.set(difference.tool, difference);
  }
  const reasonFor = (name: string) => refused.get(name) ?? refused.get(undefined);
  const tools = catalogue.tools.filter(({ name }) => !reasonFor(name));
  if (tools.length === catalogue.tools.length) return { catalogue, differences };
  const known = new Set(catalogue.setAside.map(({ position }) => position));
  const setAside = [...catalogue.setAside];
  let position = -1;
  for (const { name, definition } of catalogue.tools) {
    do position++;
    while (known.has(position));
    const difference = reasonFor(name);
    if (difference) setAside.push(aside(name, position, definition, difference));
  }
  setAside.sort((one, other) => one.position - other.position);
  const find = (name: string) => tools.find((tool) => tool.name === name);
  return { catalogue: { tools, setAside, find }, differences };
}

function aside(
  name: string,
  position: number,
  definition: unknown,
  { kind, message, changes }: PinDifference,
): SetAsideTool {
  const what = changes.length > 0 ? ` ${changes.slice(0, 3).join('; ')}${changes.length > 3 ? ' …' : ''}` : '';
  const code = kind === 'changed' ? 'changed-since-approved' : 'not-approved';
  return { name, position, definition, reason: { code, message: message + what } };
}

function differing(differences: readonly PinDifference[]): McpError {
  const shown = differences.slice(0, 5).map(({ message, changes }) => [message, ...changes.slice(0, 3)].join(' '));
  const more = differences.length > shown.length ? ` … (${differences.length} differences)` : '';
  return new McpError('The server offers something else than what was approved:', {
    code: 'PINS_DIFFER',
    details: shown.join(' ') + more,
    hint: 'Look at what has changed, and approve it anew if you agree.',
  });
}
