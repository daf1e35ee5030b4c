import { closeSync, constants, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { blockBytes, resultText, structuredText, type ContentBlock, type ToolResult } from '../../internal.js';
import { isObject, sizeText } from '../../json/index.js';
import { UsageError } from '../command.js';
import { fileError, withFile } from '../files.js';
import { indentedJson, type Terminal } from './terminal.js';

/** @returns whether every file could be written; the rest is shown in any case */
export function printResult(result: ToolResult, terminal: Terminal, folder: string | undefined): boolean {
  if (result.isError) terminal.note(terminal.paint.red('the tool reported an error:'));
  const isSaved = printBlocks(result.content, terminal, folder);
  const structured = structuredText(result);
  if (structured !== undefined) terminal.data(indentedJson(structured));
  return isSaved;
}

/** @param before how many blocks were shown before these: files are numbered */
export function printBlocks(
  blocks: readonly ContentBlock[],
  terminal: Terminal,
  folder: string | undefined,
  before = 0,
): boolean {
  let isSaved = true;
  for (const [index, block] of blocks.entries()) {
    const bytes = blockBytes(block);
    if (!bytes) {
      // An empty text is printed as it is: a resource or a message may be empty.
      const isEmpty = block['text'] === '' && ['text', undefined].includes(block.type);
      terminal.data(isEmpty ? '' : resultText({ content: [block], isError: false, raw: {} }));
      continue;
    }
    const { mimeType = noType } = bytes;
    const data = Buffer.from(bytes.data, 'base64');
    let outcome = '; --save FOLDER keeps it';
    if (folder !== undefined) {
      const path = join(folder, `result-${before + index + 1}.${suffixOf(mimeType, block)}`);
      try {
        write(path, data);
        outcome = ` written to ${path}`;
      } catch (error) {
        isSaved = false;
        outcome = ', not written';
        terminal.note(`${terminal.paint.red('error:')} ${fileError(path, 'written', error).message}`);
      }
    }
    terminal.line(terminal.paint.dim(`[${mimeType}, ${sizeText(data.length)}${outcome}]`));
  }
  return isSaved;
}

/** The folder that `--save` names, made before anything is asked for that cannot be asked for again. */
export function folderFor(
  { json, save }: { readonly json: boolean; readonly save: string | undefined },
  cwd: string,
): string | undefined {
  if (save === undefined) return undefined;
  if (json) throw new UsageError('--save only works with a result that is shown without --json.');
  if (save === '') throw new UsageError('--save names no folder.');
  const path = resolve(cwd, save);
  withFile(path, 'written', () => mkdirSync(path, { recursive: true }));
  return path;
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

/** "jpg" for "image/jpeg", or for "file:///a.jpg" without a type; "bin" if unknown, since a double click might run it. */
function suffixOf(mimeType: string, block: ContentBlock): string {
  const type = (/^[^;\s]*/.exec(mimeType)?.[0] ?? '').toLowerCase();
  const uri = isObject(block['resource']) ? String(block['resource']['uri']).toLowerCase() : '';
  if (type === noType) return /\.(\w+)$/.exec(uri)?.find((suffix) => knownSuffixes.has(suffix)) ?? 'bin';
  const [, subtype = ''] = type.split('/');
  const suffix = suffixes.get(type) ?? subtype;
  return knownSuffixes.has(suffix) ? suffix : 'bin';
}

const noType = 'application/octet-stream';

const office = 'application/vnd.openxmlformats-officedocument.';

const suffixes: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/svg+xml', 'svg'],
  ['image/x-icon', 'ico'],
  ['image/vnd.microsoft.icon', 'ico'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp4', 'm4a'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['video/quicktime', 'mov'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['application/gzip', 'gz'],
  ['application/x-tar', 'tar'],
  ['application/epub+zip', 'epub'],
  [`${office}wordprocessingml.document`, 'docx'],
  [`${office}spreadsheetml.sheet`, 'xlsx'],
  [`${office}presentationml.presentation`, 'pptx'],
]);

/** No file of these is run by a double click. */
const knownSuffixes: ReadonlySet<string> = new Set([
  ...['png', 'jpg', 'gif', 'webp', 'avif', 'bmp', 'tiff', 'heic', 'svg', 'ico'],
  ...['wav', 'ogg', 'flac', 'aac', 'opus', 'webm', 'mp3', 'm4a', 'mp4', 'mpeg', 'mov'],
  ...['csv', 'xml', 'yaml', 'json', 'txt', 'md', 'pdf', 'zip', 'gz', 'tar', 'epub', 'docx', 'xlsx', 'pptx'],
]);
