import { quote } from '../json/index.js';
import { McpError, type Catalogue, type CatalogueTool, type ServerAddress, type SkippedTool } from '../mcp/index.js';
import { type ApprovedFile, approvedOf, isApprovedTools } from './approved-file.js';
import { type ApprovalDifference, type ApprovedTools, compareApproved } from './approved-tools.js';

/**
 * The handling of tools that have changed since they were approved: expose them with a warning, skip them, or fail. New
 * and renamed tools are skipped until they are approved. The same holds for the server's instructions.
 */
export type WhenChanged = 'warn' | 'skip' | 'fail';

export interface ApprovalOptions {
  readonly name?: string | undefined;
  readonly address?: ServerAddress | undefined;
  readonly whenChanged?: WhenChanged | undefined;
  /** By names at the server; other tools' differences are ignored. Default: all. */
  readonly matters?: (name: string) => boolean;
  /** If not, differences of the instructions are ignored. Default true. */
  readonly exposesInstructions?: boolean;
}

export interface ApprovedCatalogue {
  readonly catalogue: Catalogue;
  readonly differences: readonly ApprovalDifference[];
}

/**
 * A different server has no approved tools, and neither has a server that is missing from the approval file.
 *
 * @throws McpError (NOT_AS_APPROVED) if anything differs and `whenChanged` is 'fail'
 */
export function onlyApproved(
  catalogue: Catalogue,
  approved: ApprovedTools | ApprovedFile,
  options: ApprovalOptions = {},
): ApprovedCatalogue {
  const { name, address, whenChanged = 'skip', matters = () => true, exposesInstructions = true } = options;
  const before = isApprovedTools(approved) ? approved : (approvedOf(approved, name, address) ?? { tools: {} });
  const all = compareApproved(before, catalogue, address);
  const isRelevant = ({ kind, tool }: ApprovalDifference) =>
    tool === undefined ? exposesInstructions || kind !== 'instructions' : matters(tool);
  const differences = all.filter(isRelevant);
  if (whenChanged === 'fail' && differences.length > 0) throw differenceError(differences);
  const isRefused = ({ kind }: ApprovalDifference) =>
    whenChanged === 'warn' ? kind === 'added' || kind === 'renamed' : kind !== 'removed' && kind !== 'instructions';
  const refused = differences.filter(isRefused);
  const byTool = new Map(refused.map((difference) => [difference.tool, difference]));
  const ofServer = byTool.get(undefined);
  const isExposed = whenChanged === 'warn' || !all.some(({ kind }) => kind === 'server' || kind === 'instructions');
  const instructions = isExposed ? catalogue.instructions : undefined;
  const positions = positionsOf(catalogue);
  const rejected = catalogue.tools.flatMap((tool, index) => {
    const difference = byTool.get(tool.name) ?? ofServer;
    return difference ? [skippedTool(tool, positions[index] ?? 0, difference)] : [];
  });
  const tools = ofServer ? [] : catalogue.tools.filter(({ name }) => !byTool.has(name));
  const skipped = [...catalogue.skipped, ...rejected].sort((one, other) => one.position - other.position);
  const find = (wanted: string) => tools.find((tool) => tool.name === wanted);
  return { catalogue: { ...catalogue, instructions, tools, skipped, find }, differences };
}

/** The position of each tool in the server's list, which includes the skipped ones. */
export function positionsOf({ tools, skipped }: Catalogue): number[] {
  const known = new Set(skipped.map(({ position }) => position));
  return Array.from({ length: tools.length + skipped.length }, (_, position) => position).filter(
    (position) => !known.has(position),
  );
}

function skippedTool(
  { name, definition }: CatalogueTool,
  position: number,
  { kind, message, changes }: ApprovalDifference,
): SkippedTool {
  // A reason is shown beside the tool's name.
  const about = kind === 'server' ? message : message.replace(quote(name), 'It');
  const what = changes.length > 0 ? ` ${changes.slice(0, 3).join('; ')}${changes.length > 3 ? ' …' : ''}` : '';
  const code = kind === 'changed' ? 'changed-since-approved' : 'not-approved';
  return { name, position, definition, reason: { code, message: about + what } };
}

function differenceError(differences: readonly ApprovalDifference[]): McpError {
  const shown = differences.slice(0, 5).map(({ message, changes }) => [message, ...changes.slice(0, 3)].join(' '));
  const more = differences.length > shown.length ? ` … (${differences.length} differences)` : '';
  return new McpError('The server differs from what was approved:', {
    code: 'NOT_AS_APPROVED',
    details: shown.join(' ') + more,
    hint: 'Review the changes, and approve the tools again if you agree.',
  });
}

/** True if an approval skipped the tool. Nobody has looked at its text, which may be written to influence a model. */
export function isUnapproved({ reason: { code } }: Pick<SkippedTool, 'reason'>): boolean {
  return code === 'changed-since-approved' || code === 'not-approved';
}
