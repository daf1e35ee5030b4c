/**
 * Text from a server as it may go to a terminal: control characters, which could move the cursor, recolour or retitle
 * the window, and the marks that reorder text (bidirectional overrides) are shown as what they are. Line breaks and
 * tabs stay.
 */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim());
}

// C0 except tab and newline, DEL and C1; then the bidirectional controls.
const unprintable = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
