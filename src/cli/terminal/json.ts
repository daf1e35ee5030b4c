import type { Terminal } from './terminal.js';

/** JSON for whoever reads: indented on a terminal, as the server wrote it for a program. */
export function printJson(value: unknown, terminal: Terminal): void {
  const text = terminal.columns === undefined ? JSON.stringify(value) : JSON.stringify(value, undefined, 2);
  terminal.line(terminal.columns === undefined ? text : safeJson(text));
}

/** JSON escapes C0 by itself; C1 and the bidirectional controls get their escapes here, which JSON reads the same. */
function safeJson(text: string): string {
  return text.replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
