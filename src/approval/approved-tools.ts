import { jsonText, parseJson, quote, visibleLine } from '../json/index.js';
import { definitionText, type Catalogue, type CatalogueTool, type ServerAddress } from '../mcp/index.js';
import { addressSecrets, hidden, isSecret, looksRandom, mayNameSecret, secretMask } from '../secrets/index.js';
import { shownArguments } from '../secrets/index.js';
import { differencesInWords } from './differences.js';
import { textDigest, toolDigest } from './digest.js';

/** A text that somebody approved. */
export interface ApprovedText {
  /** The hash of the text on the wire, such as `sha256-…`. */
  readonly digest: string;
  /** The text itself, to describe changes; n8n has no room for it. */
  readonly text?: string;
}

/** The tools of a server as somebody approved them. */
export interface ApprovedTools {
  /** The address: a URL, or a command with its arguments, without secrets. */
  readonly server?: string;
  /** The name and title of the server, if known. */
  readonly name?: ApprovedText;
  readonly instructions?: ApprovedText;
  /** By the tools' names at the server. */
  readonly tools: Readonly<Record<string, ApprovedText>>;
}

/** A difference between a server and its approved state. */
export interface ApprovalDifference {
  /** `server` if its address or its name differs. */
  readonly kind: 'server' | 'instructions' | 'changed' | 'added' | 'removed' | 'renamed';
  /** The tool's name at the server; absent if the difference is not about one tool. */
  readonly tool?: string;
  /** The former name of a renamed tool. */
  readonly formerly?: string;
  /** One sentence. */
  readonly message: string;
  /** Each change, with JSON Pointers; empty if the approved text was not kept. */
  readonly changes: readonly string[];
}

type Listed = Pick<Catalogue, 'tools' | 'instructions' | 'serverInfo'>;

/**
 * Approves the tools of a server as they are now, with its name and instructions.
 *
 * ```ts
 * const session = await connect({ url: 'https://example.com/mcp' });
 * const approved = approveTools(await session.listTools(), { url: 'https://example.com/mcp' });
 * compareApproved(approved, await session.listTools()); // => []
 * ```
 *
 * @param address the server's address, so that a different server is noticed
 */
export function approveTools({ tools, instructions, serverInfo }: Listed, address?: ServerAddress): ApprovedTools {
  const approved = tools.map((tool) => [tool.name, approvedText(definitionText(tool), toolDigest)] as const);
  return {
    ...(address && { server: serverIdentity(address) }),
    ...(serverInfo && { name: approvedText(nameText(serverInfo)) }),
    ...(hasText(instructions) && { instructions: approvedText(instructions) }),
    tools: Object.fromEntries(approved),
  };
}

function approvedText(text: string, digestOf = textDigest): ApprovedText {
  return { digest: digestOf(text), text };
}

function nameText({ name, title }: NonNullable<Listed['serverInfo']>): string {
  return jsonText({ name, title });
}

function hasText(instructions: string | undefined): instructions is string {
  return instructions !== undefined && instructions.trim() !== '';
}

export function digestsOnly({ server, name, instructions, tools }: ApprovedTools): ApprovedTools {
  return {
    ...(server !== undefined && { server: textDigest(server) }),
    ...(name && { name: { digest: name.digest } }),
    ...(instructions && { instructions: { digest: instructions.digest } }),
    tools: Object.fromEntries(sorted(tools).map(([name, { digest }]) => [name, { digest }])),
  };
}

export function sorted<T>(object: Readonly<Record<string, T>>): [name: string, value: T][] {
  return Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1));
}

export function compareApproved(
  approved: ApprovedTools,
  listed: Listed,
  address?: ServerAddress,
): ApprovalDifference[] {
  return [
    ...addressDifference(approved.server, address),
    ...nameDifference(approved.name, listed.serverInfo),
    ...instructionsDifference(approved.instructions, listed.instructions),
    ...toolDifferences(approved.tools, listed.tools),
  ];
}

function addressDifference(before: string | undefined, address: ServerAddress | undefined): ApprovalDifference[] {
  const now = address && serverIdentity(address);
  if (before === undefined || now === undefined || [now, textDigest(now)].includes(before)) return [];
  const message = before.startsWith('sha256-')
    ? 'The server is not the one that was approved.'
    : `The server is ${visibleLine(now)}; approved was ${visibleLine(before)}.`;
  return [{ kind: 'server', message, changes: [] }];
}

function nameDifference(before: ApprovedText | undefined, serverInfo: Listed['serverInfo']): ApprovalDifference[] {
  if (!before || !serverInfo || before.digest === textDigest(nameText(serverInfo))) return [];
  const message = 'The server has another name than when it was approved.';
  return [{ kind: 'server', message, changes: changesIn(before, parseJson(nameText(serverInfo))) }];
}

function instructionsDifference(before: ApprovedText | undefined, listed: string | undefined): ApprovalDifference[] {
  const now = hasText(listed) ? listed : undefined;
  if (before?.digest === (now === undefined ? undefined : textDigest(now))) return [];
  const change = before ? 'have changed since they were approved.' : 'are new and have not been approved.';
  const message = `The server's instructions ${now === undefined ? 'are gone.' : change}`;
  const texts = [before?.text, now].map((instructions) => ({ instructions }));
  const isKnown = before?.text !== undefined && now !== undefined;
  return [{ kind: 'instructions', message, changes: isKnown ? differencesInWords(texts[0], texts[1]) : [] }];
}

function toolDifferences(before: ApprovedTools['tools'], tools: readonly CatalogueTool[]): ApprovalDifference[] {
  const names = new Set(tools.map(({ name }) => name));
  const missing = new Map(Object.entries(before).filter(([name]) => !names.has(name)));
  const differences = tools.flatMap((tool): ApprovalDifference[] => {
    const digest = toolDigest(definitionText(tool));
    const about = { tool: tool.name, changes: [] };
    const known = Object.hasOwn(before, tool.name) ? before[tool.name] : undefined;
    if (known?.digest === digest) return [];
    if (known) {
      const message = `${quote(tool.name)} has changed since it was approved.`;
      return [{ ...about, kind: 'changed', message, changes: changesIn(known, tool.definition) }];
    }
    const formerly = [...missing].find(([, approved]) => approved.digest === digest)?.[0];
    if (formerly === undefined)
      return [{ ...about, kind: 'added', message: `${quote(tool.name)} is new and has not been approved.` }];
    missing.delete(formerly);
    const message = `${quote(tool.name)} was approved under the name ${quote(formerly)}.`;
    return [{ ...about, kind: 'renamed', formerly, message }];
  });
  const removed = [...missing.keys()].map((tool) => {
    return { kind: 'removed' as const, tool, message: `${quote(tool)} was approved and is gone.`, changes: [] };
  });
  return [...differences, ...removed];
}

function changesIn({ text }: ApprovedText, now: unknown): string[] {
  if (text === undefined) return [];
  const changes = differencesInWords(parseJson(text), now);
  return changes.length > 0 ? changes : ['Only the JSON text differs: how numbers are written, or repeated names.'];
}

/** A server's address or command, to show and to compare. Secrets are hidden. */
export function serverIdentity(address: ServerAddress): string {
  if (address.transport === 'stdio') {
    const words = [address.command, ...shownArguments(address.args ?? [])];
    return words.map((word) => (/^[\w@%+=:,./*-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
  }
  const { origin, pathname, searchParams } = new URL(address.url);
  const url = `${origin}${pathname}`;
  const shown = [...searchParams].map(([name, value]) => {
    const isKey = mayNameSecret(name) || looksRandom(value) || isSecret([name], value);
    return `${encodeURIComponent(name)}=${isKey ? hidden : encodeURIComponent(value)}`;
  });
  return [secretMask(addressSecrets({ url }))(url), ...shown].join('&').replace('&', '?');
}
