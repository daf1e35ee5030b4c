import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blockBytes, resultText } from '../../index.js';
import type { ToolResult } from '../../index.js';
import { jsonText, sizeText } from '../../json/index.js';
import { indentedJson } from './json.js';
import { printable } from './text.js';
import type { Terminal } from './terminal.js';

type Block = ToolResult['content'][number];

/**
 * A result for people: text as text, JSON indented, bytes as a line about them (or a file, with a folder to put it
 * in). On stdout in any case; a server's error is marked as one.
 */
export function renderResult(result: ToolResult, terminal: Terminal, folder: string | undefined): void {
  if (result.isError) terminal.note(terminal.paint.red('the tool reported an error:'));
  result.content.forEach((block, index) => terminal.line(renderBlock(block, index, terminal, folder)));
  const { structuredContent, structuredText } = result;
  if (structuredContent !== undefined && !saidAsText(result))
    terminal.line(show(indentedJson(structuredText ?? jsonText(structuredContent)), terminal));
}

/** Servers repeat structured content as text for older clients (MCP, Tools: Structured Content); once is enough. */
function saidAsText({ content, structuredContent }: ToolResult): boolean {
  const wanted = JSON.stringify(structuredContent);
  return content.some((block) => 'text' in block && typeof block.text === 'string' && compact(block.text) === wanted);
}

function compact(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function renderBlock(block: Block, index: number, terminal: Terminal, folder: string | undefined): string {
  const bytes = blockBytes(block);
  if (!bytes) return show(resultText({ content: [block], isError: false, raw: {} }), terminal);
  const { mimeType = 'application/octet-stream' } = bytes;
  const data = Buffer.from(bytes.data, 'base64');
  const about = `${mimeType}, ${sizeText(data.length)}`;
  if (folder === undefined) return terminal.paint.dim(printable(`[${about}; --save FOLDER keeps it]`));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `result-${index + 1}.${extension(mimeType)}`);
  writeFileSync(path, data);
  return terminal.paint.dim(printable(`[${about} written to ${path}]`));
}

/** A terminal gets no control characters from a server; a file or a program gets every byte. */
function show(text: string, { columns }: Terminal): string {
  return columns === undefined ? text : printable(text);
}

/** "png" of "image/png", "svg" of "image/svg+xml"; nothing that a path could be made of. */
function extension(mimeType: string): string {
  return /^[\w.-]+\/([a-z0-9]+)/i.exec(mimeType)?.[1]?.toLowerCase() ?? 'bin';
}
