import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blockBytes, resultText, structuredText } from '../../index.js';
import type { ToolResult } from '../../index.js';
import { sizeText } from '../../json/index.js';
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
  for (const [index, block] of result.content.entries()) renderBlock(block, index, { terminal, folder, failures });
  const structured = structuredText(result);
  if (structured !== undefined) terminal.data(indentedJson(result.structuredText ?? structured));
  for (const failure of failures) terminal.note(`${terminal.paint.red('error:')} ${failure}`);
  return failures.length === 0;
}

interface Rendering {
  terminal: Terminal;
  folder: string | undefined;
  /** Why files could not be written. */
  failures: string[];
}

function renderBlock(block: Block, index: number, { terminal, folder, failures }: Rendering): void {
  const bytes = blockBytes(block);
  if (!bytes) {
    terminal.data(resultText({ content: [block], isError: false, raw: {} }));
    return;
  }
  const tell = (text: string) => {
    terminal.line(terminal.paint.dim(`[${text}]`));
  };
  const { mimeType = 'application/octet-stream' } = bytes;
  const data = Buffer.from(bytes.data, 'base64');
  const about = `${mimeType}, ${sizeText(data.length)}`;
  if (folder === undefined) {
    tell(`${about}; --save FOLDER keeps it`);
    return;
  }
  const path = join(folder, `result-${index + 1}.${extension(mimeType)}`);
  try {
    write(path, data);
    tell(`${about} written to ${path}`);
  } catch (error) {
    failures.push(fileError(path, 'written', error).message);
    tell(`${about}, not written`);
  }
}

/** Takes the place of an earlier file, but never writes through a link that lies in the folder. */
function write(path: string, data: Uint8Array): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants; // the last is undefined on Windows, which `|` takes for 0
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  try {
    writeFileSync(file, data);
  } finally {
    closeSync(file);
  }
}

/** "png" of "image/png", "svg" of "image/svg+xml"; "bin" of what a double click might run. */
function extension(mimeType: string): string {
  const name = /^[\w.-]+\/(\w+)/.exec(mimeType)?.[1]?.toLowerCase() ?? '';
  return extensions.has(name) ? name : 'bin';
}

const extensions: ReadonlySet<string> = new Set([
  ...['png', 'jpeg', 'jpg', 'gif', 'webp', 'svg', 'avif', 'bmp', 'tiff', 'heic'],
  ...['wav', 'mpeg', 'mp3', 'ogg', 'flac', 'aac', 'opus', 'mp4', 'webm', 'quicktime'],
  ...['plain', 'markdown', 'csv', 'json', 'xml', 'yaml', 'pdf', 'zip', 'gzip'],
]);
