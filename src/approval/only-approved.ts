import { McpError } from '../mcp/index.js';
import type { Catalogue, CatalogueTool, ServerAddress, SkippedTool } from '../mcp/index.js';
import { compareApproved, nameShown, type ApprovalDifference, type ApprovedTools } from './approved-tools.js';

/**
 * What becomes of tools that differ from what was approved: they are offered all the same, or set aside, or nothing of
 * the server is offered. New tools, renamed ones among them, are never offered before they are approved. The same holds
 * for the server's instructions.
 */
export type WhenChanged = 'warn' | 'skip' | 'fail';

/** How a server is held to what was approved. */
export interface ApprovalOptions {
  /** Where the server is. */
  readonly address?: ServerAddress | undefined;
  /** Default: 'skip'. */
  readonly whenChanged?: WhenChanged | undefined;
  /** Which tools matter, by their names at the server; whatever becomes of the others is passed over. Default: all. */
  readonly matters?: (name: string) => boolean;
  /** Whether anybody is told the server's instructions; otherwise they are passed over. Default true. */
  readonly tellsInstructions?: boolean;
}

/** What is left of a list, and why. */
export interface ApprovedCatalogue {
  readonly catalogue: Catalogue;
  readonly differences: readonly ApprovalDifference[];
}

/**
 * A server's tools without those that nobody approved, and its instructions where they were. Where the server itself is
 * another one, nothing of it counts as approved.
 *
 * ```ts
 * const { catalogue, differences } = onlyApproved(await session.listTools(), approved, { whenChanged: 'warn' });
 * ```
 *
 * @throws McpError (NOT_AS_APPROVED) where anything differs and `whenChanged` is 'fail'
 */
export function onlyApproved(
  catalogue: Catalogue,
  approved: ApprovedTools,
  options: ApprovalOptions = {},
): ApprovedCatalogue {
  const { address, whenChanged = 'skip', matters = () => true, tellsInstructions = true } = options;
  const all = compareApproved(approved, catalogue, address);
  const differences = all.filter(({ kind, tool }) =>
    tool === undefined ? tellsInstructions || kind !== 'instructions' : matters(tool),
  );
  if (whenChanged === 'fail' && differences.length > 0) throw differing(differences);
  const refused = differences.filter(({ kind }) =>
    whenChanged === 'warn' ? kind === 'added' || kind === 'renamed' : kind !== 'removed' && kind !== 'instructions',
  );
  const byTool = new Map(refused.map((difference) => [difference.tool, difference]));
  const reasonFor = (name: string) => byTool.get(name) ?? byTool.get(undefined); // the server itself
  const isTold = whenChanged === 'warn' || !all.some(({ kind }) => kind === 'server' || kind === 'instructions');
  const instructions = isTold ? catalogue.instructions : undefined;
  const known = new Set(catalogue.skipped.map(({ position }) => position));
  const tools: CatalogueTool[] = [];
  const skipped = [...catalogue.skipped];
  let position = -1;
  for (const tool of catalogue.tools) {
    do position++;
    while (known.has(position));
    const difference = reasonFor(tool.name);
    if (difference) skipped.push(aside(tool.name, position, tool.definition, difference));
    else tools.push(tool);
  }
  skipped.sort((one, other) => one.position - other.position);
  const find = (name: string) => tools.find((tool) => tool.name === name);
  return { catalogue: { ...catalogue, instructions, tools, skipped, find }, differences };
}

function aside(
  name: string,
  position: number,
  definition: unknown,
  { kind, message, changes }: ApprovalDifference,
): SkippedTool {
  // Wherever a reason is shown, the name stands beside it.
  const about = kind === 'server' ? message : message.replace(nameShown(name), 'It');
  const what = changes.length > 0 ? ` ${changes.slice(0, 3).join('; ')}${changes.length > 3 ? ' …' : ''}` : '';
  const code = kind === 'changed' ? 'changed-since-approved' : 'not-approved';
  return { name, position, definition, reason: { code, message: about + what } };
}

function differing(differences: readonly ApprovalDifference[]): McpError {
  const shown = differences.slice(0, 5).map(({ message, changes }) => [message, ...changes.slice(0, 3)].join(' '));
  const more = differences.length > shown.length ? ` … (${differences.length} differences)` : '';
  return new McpError('The server offers something else than what was approved:', {
    code: 'NOT_AS_APPROVED',
    details: shown.join(' ') + more,
    hint: 'Look at what has changed, and approve it anew if you agree.',
  });
}
