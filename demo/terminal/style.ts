/** Colours where a person watches, plain text where the output goes elsewhere. */
const coloured = process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined;

const ansi = (code: number) => (text: string) => (coloured && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text);

export const bold = ansi(1);
export const dim = ansi(2);
export const red = ansi(31);
export const green = ansi(32);
export const yellow = ansi(33);

/** The widest line that the demo prints. */
export const pageWidth = 100;
