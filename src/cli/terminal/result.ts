import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blockBytes, resultText, structuredText } from '../../index.js';
import type { ToolResult } from '../../index.js';
import { sizeText, visible } from '../../json/index.js';
import { fileError } from '../files.js';
import { indentedJson } from './json.js';
import type { Terminal } from './terminal.js';

type Block = ToolResult['content'][number];

/**
 * A result for people: text as text, JSON indented, bytes as a line about them (or a file, with a folder to put it
 * in). On stdout in any case; a server's error is marked as one.
 *
 * @returns whether every file could be written; the rest is shown in any case
 */
export function renderResult(result: ToolResult, terminal: Terminal, folder: string | undefined): boolean {
  const failures: string[] = [];
  if (result.isError) terminal.note(terminal.paint.red('the tool reported an error:'));
  result.content.forEach((block, index) => terminal.line(renderBlock(block, index, { terminal, folder, failures })));
  const structured = structuredText(result);
  if (structured !== undefined) terminal.line(show(indentedJson(result.structuredText ?? structured), terminal));
  for (const failure of failures) terminal.note(`${terminal.paint.red('error:')} ${visible(failure)}`);
  return failures.length === 0;
}

interface Rendering {
  terminal: Terminal;
  folder: string | undefined;
  /** Why files could not be written. */
  failures: string[];
}

function renderBlock(block: Block, index: number, { terminal, folder, failures }: Rendering): string {
  const bytes = blockBytes(block);
  if (!bytes) return show(resultText({ content: [block], isError: false, raw: {} }), terminal);
  const { mimeType = 'application/octet-stream' } = bytes;
  const data = Buffer.from(bytes.data, 'base64');
  const about = `${mimeType}, ${sizeText(data.length)}`;
  if (folder === undefined) return terminal.paint.dim(visible(`[${about}; --save FOLDER keeps it]`));
  const path = join(folder, `result-${index + 1}.${extension(mimeType)}`);
  try {
    writeFileSync(path, data);
    return terminal.paint.dim(visible(`[${about} written to ${path}]`));
  } catch (error) {
    failures.push(fileError(path, 'written', error).message);
    return terminal.paint.dim(visible(`[${about}, not written]`));
  }
}

/** A terminal gets no control characters from a server; a file or a program gets every byte. */
function show(text: string, { columns }: Terminal): string {
  return columns === undefined ? text : visible(text);
}

/** "png" of "image/png", "svg" of "image/svg+xml"; nothing that a path could be made of. */
function extension(mimeType: string): string {
  return /^[\w.-]+\/([a-z0-9]+)/i.exec(mimeType)?.[1]?.toLowerCase() ?? 'bin';
}
