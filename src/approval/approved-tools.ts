import { jsonText, parseJson, quote, visibleLine } from '../json/index.js';
import { addressSecrets, secretMask, shownArguments } from '../secrets/index.js';
import type { Catalogue, CatalogueTool, ServerAddress } from '../mcp/index.js';
import { digestOf, textDigest, wireTextOf } from './digest.js';
import { differencesInWords } from './differences.js';

/** A tool, or a server's instructions, as someone approved them. */
export interface ApprovedText {
  /** Of the text on the wire, such as `sha256-…`. */
  readonly digest: string;
  /** That text, so that a change can be put into words; hosts that have no room for it keep the digest alone. */
  readonly text?: string;
}

/** A server's tools as someone approved them. */
export interface ApprovedTools {
  /** Where they were approved: a URL, or a command with its arguments, without secrets. */
  readonly server?: string;
  /** What the server calls itself: its name and title; absent where nobody asked it. */
  readonly name?: ApprovedText;
  /** What the server says about how its tools want to be used; absent where it said nothing. */
  readonly instructions?: ApprovedText;
  /** By the tools' names at the server. */
  readonly tools: Readonly<Record<string, ApprovedText>>;
}

/** What a server does differently from what was approved. */
export interface ApprovalDifference {
  /** `server` where it is elsewhere, or calls itself otherwise. */
  readonly kind: 'server' | 'instructions' | 'changed' | 'added' | 'removed' | 'renamed';
  /**
   * The tool's name: as the server has it now, or had it where it is removed. Absent where it is about no single tool.
   */
  readonly tool?: string;
  /** What a renamed tool was called. */
  readonly formerly?: string;
  /** In a sentence. */
  readonly message: string;
  /** What of it has changed, in words, with JSON Pointers; empty where its text was not kept. */
  readonly changes: readonly string[];
}

/**
 * Approves what a server offers now: a digest of each tool's text, and the text; and the same of its instructions.
 *
 * ```ts
 * const session = await connect({ url: 'https://example.com/mcp' });
 * const approved = approveTools(await session.listTools(), { url: 'https://example.com/mcp' });
 * compareApproved(approved, await session.listTools()); // => []
 * ```
 *
 * @param address where the server is, so that another one in its place is noticed
 */
export function approveTools({ tools, instructions, serverInfo }: Told, address?: ServerAddress): ApprovedTools {
  const approved = tools.map((tool): [string, ApprovedText] => [
    tool.name,
    { digest: digestOf(tool), text: wireTextOf(tool) },
  ]);
  return {
    ...(address && { server: serverIdentity(address) }),
    ...(serverInfo && { name: textPin(nameText(serverInfo)) }),
    ...(isSaid(instructions) && { instructions: textPin(instructions) }),
    tools: Object.fromEntries(approved),
  };
}

/** What of a catalogue reaches a model. */
type Told = Pick<Catalogue, 'tools' | 'instructions' | 'serverInfo'>;

function textPin(text: string): ApprovedText {
  return { digest: textDigest(text), text };
}

function nameText({ name, title }: NonNullable<Told['serverInfo']>): string {
  return jsonText({ name, title });
}

/** ApprovedTools for where there is little room and everybody reads along: digests alone, that of the address as well. */
export function digestsOnly({ server, name, instructions, tools }: ApprovedTools): ApprovedTools {
  const digests = Object.entries(tools)
    .map(([name, { digest }]): [string, ApprovedText] => [name, { digest }])
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...(server !== undefined && { server: textDigest(server) }),
    ...(name && { name: { digest: name.digest } }),
    ...(instructions && { instructions: { digest: instructions.digest } }),
    tools: Object.fromEntries(digests),
  };
}

/**
 * What differs from what was approved: another server or another name of it, its instructions, then tools in the
 * server's order, then those that are gone.
 */
export function compareApproved(
  approved: ApprovedTools,
  { tools, instructions, serverInfo }: Told,
  address?: ServerAddress,
): ApprovalDifference[] {
  const server = address && serverIdentity(address);
  const offered = new Set(tools.map(({ name }) => name));
  const missing = Object.entries(approved.tools).filter(([name]) => !offered.has(name));
  const renamed = new Map(missing.map(([name, { digest }]) => [digest, name]));
  const differences: ApprovalDifference[] = [];
  if (
    server !== undefined &&
    approved.server !== undefined &&
    ![server, textDigest(server)].includes(approved.server)
  ) {
    const isDigest = approved.server.startsWith('sha256-');
    const message = isDigest
      ? 'The server is another one than the one that was approved.'
      : `The server is ${visibleLine(server)}; approved was ${visibleLine(approved.server)}.`;
    differences.push({ kind: 'server', message, changes: [] });
  }
  differences.push(...nameDiffering(approved.name, serverInfo));
  differences.push(...instructionsDiffering(approved.instructions, instructions));
  for (const tool of tools) {
    const difference = Object.hasOwn(approved.tools, tool.name)
      ? changed(tool, approved.tools[tool.name])
      : addition(tool, renamed);
    if (difference) differences.push(difference);
  }
  const formerly = new Set(differences.map((difference) => difference.formerly));
  for (const [tool] of missing.filter(([name]) => !formerly.has(name))) {
    const message = `${nameShown(tool)} was approved and is offered no more.`;
    differences.push({ kind: 'removed', tool, message, changes: [] });
  }
  return differences;
}

/**
 * Where a server is, for people and for comparing: a URL without user, query and fragment, or a command with its
 * arguments. Secrets in them are hidden.
 */
export function serverIdentity(address: ServerAddress): string {
  if (address.transport === 'stdio') {
    const words = [address.command, ...shownArguments(address.args ?? [])];
    return words.map((word) => (/^[\w@%+=:,./*-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
  }
  const { origin, pathname } = new URL(address.url);
  const url = `${origin}${pathname}`;
  return secretMask(addressSecrets({ url }))(url);
}

/** How a server calls itself otherwise: somebody else may answer in its place. */
function nameDiffering(before: ApprovedText | undefined, serverInfo: Told['serverInfo']): ApprovalDifference[] {
  if (!before || !serverInfo || before.digest === textDigest(nameText(serverInfo))) return [];
  const message = 'The server calls itself otherwise than when it was approved.';
  const changes =
    before.text === undefined ? [] : differencesInWords(parseJson(before.text), parseJson(nameText(serverInfo)));
  return [{ kind: 'server', message, changes }];
}

/** How a server's instructions differ from those that were approved. */
function instructionsDiffering(
  before: ApprovedText | undefined,
  instructions: string | undefined,
): ApprovalDifference[] {
  if (!isSaid(instructions))
    return before ? [{ kind: 'instructions', message: "The server's instructions are gone.", changes: [] }] : [];
  if (before?.digest === textDigest(instructions)) return [];
  const message = before
    ? "The server's instructions have changed since they were approved."
    : "The server's instructions are new and have not been approved.";
  const changes = before?.text === undefined ? [] : differencesInWords({ instructions: before.text }, { instructions });
  return [{ kind: 'instructions', message, changes }];
}

/** Instructions without a word reach nobody. */
function isSaid(instructions: string | undefined): instructions is string {
  return instructions !== undefined && instructions.trim() !== '';
}

function changed(tool: CatalogueTool, before: ApprovedText | undefined): ApprovalDifference | undefined {
  if (before?.digest === digestOf(tool)) return undefined;
  const message = `${nameShown(tool.name)} has changed since it was approved.`;
  return {
    kind: 'changed',
    tool: tool.name,
    message,
    changes: before?.text === undefined ? [] : changes(before.text, tool),
  };
}

function changes(text: string, { definition }: CatalogueTool): string[] {
  const words = differencesInWords(parseJson(text), definition);
  return words.length > 0 ? words : ['The text says something else only to the character: numbers, or doubled names.'];
}

/** A tool that was not there; where one that is gone says the same under another name, that is the one. */
function addition(tool: CatalogueTool, gone: Map<string, string>): ApprovalDifference {
  const formerly = gone.get(digestOf(tool));
  if (formerly === undefined) {
    const message = `${nameShown(tool.name)} is new and has not been approved.`;
    return { kind: 'added', tool: tool.name, message, changes: [] };
  }
  gone.delete(digestOf(tool));
  const message = `${nameShown(tool.name)} was approved under the name ${nameShown(formerly)}.`;
  return { kind: 'renamed', tool: tool.name, formerly, message, changes: [] };
}

/** As it begins a message. */
export function nameShown(name: string): string {
  return quote(name);
}
