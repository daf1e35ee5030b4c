import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { printBlocks } from '../../../src/cli/terminal/result.js';
import { type Paint, printJson, printReport, type Terminal, terminalFor } from '../../../src/cli/terminal/terminal.js';
import { cut, oneLine, printTable, wrap } from '../../../src/cli/terminal/text.js';
import { temporaryFolder } from '../../mcp/temporary-folder.js';

type Name = keyof Paint;
interface About {
  stdout?: object;
  stderr?: object;
  env?: Record<string, string>;
  colour?: boolean;
}
interface Cases {
  written: [
    about: About,
    calls: [name: keyof Terminal, ...given: unknown[]][],
    written: [to: string, text: string][],
  ][];
  tables: {
    about: About;
    rows: { cells: string[]; below?: { text: string; paint: Name }[] }[];
    columns: { atMost: number; paint?: Name }[];
    lines: string[];
  }[];
  texts: [of: keyof typeof textsOf, text: string, columns: number, shown: unknown][];
  saved: [block: { type: string }, file: string, shown: string][];
}
const { written, tables, texts, saved } = JSON.parse(
  readFileSync(new URL('./terminal.json', import.meta.url), 'utf8'),
) as Cases;

function started({ stdout = {}, stderr = {}, env = {}, colour = true }: About) {
  const written: [to: string, text: string][] = [];
  const to = (name: string, about: object) => ({ ...about, write: (text: string) => written.push([name, text]) });
  return { written, terminal: terminalFor({ stdout: to('out', stdout), stderr: to('err', stderr), env }, colour) };
}

/** `<red>text</>` is painted, in any string. */
function painted(value: unknown, paint: Paint): unknown {
  if (Array.isArray(value)) return value.map((each) => painted(each, paint));
  if (typeof value !== 'string') return value;
  return value.replace(/<(\w+)>(.*?)<\/>/gs, (_, style: Name, text: string) => paint[style](text));
}

const printing = { json: printJson, report: printReport };

test.each(written)('On the terminal %j, the calls %j write %j', (about, calls, expected) => {
  const { written, terminal } = started(about);
  for (const [name, ...given] of calls) {
    const [text, ...more] = painted(given, terminal.paint) as [never];
    if (name in printing) printing[name as keyof typeof printing](text, terminal);
    else {
      const returned = (terminal[name] as (...given: unknown[]) => unknown)(text, ...more);
      if (name === 'question') written.push(['question', String(returned)]);
    }
  }
  expect([...written, ['columns', String(terminal.columns)]]).toEqual(expected);
});

test.each(tables)('The table %# has the lines $lines', ({ about, rows, columns, lines }) => {
  const { written, terminal } = started(about);
  const paintOf = (name: Name) => terminal.paint[name];
  printTable(
    rows.map(({ cells, below }) => ({
      cells,
      ...(below && { below: below.map(({ text, paint }) => ({ text, paint: paintOf(paint) })) }),
    })),
    columns.map(({ atMost, paint }) => ({ atMost, ...(paint && { paint: paintOf(paint) }) })),
    terminal,
  );
  expect(written.map(([, text]) => text.replace(/\n$/, ''))).toEqual(lines);
});

const textsOf = { cut, oneLine, wrap };

test.each(texts)('The function %s makes of %j in %i columns: %j', (name, text, columns, shown) => {
  expect(textsOf[name](text, columns)).toEqual(shown);
});

test.each(saved)('The block %j is saved in %s, in the place of a longer file', (block, file, shown) => {
  const folder = temporaryFolder(onTestFinished);
  if (file !== '') writeFileSync(join(folder, file), 'x'.repeat(100));
  const { written, terminal } = started({});
  expect(printBlocks([{ type: 'text', text: 'before' }, block], terminal, folder, 3)).toBe(true);
  expect(readdirSync(folder)).toEqual(file === '' ? [] : [file]);
  if (file !== '') expect(readFileSync(join(folder, file), 'utf8')).toBe('bytes');
  expect(written.map(([, text]) => text.replaceAll(folder, 'FOLDER')).join('')).toBe(`before\n${shown}`);
});
