/** Colours for a terminal, plain text for any other output. */
const coloured =
  process.env['NO_COLOR'] === undefined && (process.stdout.isTTY || process.env['FORCE_COLOR'] !== undefined);

/** Line by line, so that lines can be set beside others. */
const ansi = (code: number) => (text: string) => {
  if (!coloured) return text;
  return text.replace(/.+/g, (line) => `\u001b[${code}m${line}\u001b[0m`);
};

export const bold = ansi(1);
export const dim = ansi(2);
export const red = ansi(31);
export const green = ansi(32);

/** The widest line that the demo prints. */
export const pageWidth = 100;
