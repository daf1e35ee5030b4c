/** Where text goes: a terminal, a file or another program. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = Record<Style, (text: string) => string>;

/** Where a command writes: results to stdout, everything about them to stderr. */
export interface Terminal {
  /** Columns of the terminal; undefined when the output goes to a file or another program, which gets whole lines. */
  readonly columns: number | undefined;
  readonly paint: Paint;
  line: (text?: string) => void;
  note: (text: string) => void;
  /** Redraws the one status line on stderr; '' removes it. */
  status: (text: string) => void;
}

const codes: Record<Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export function terminalFor(
  io: { stdout: Output; readonly stderr: Output; env: Env },
  { colour }: { colour: boolean },
): Terminal {
  const { stdout, env } = io;
  return {
    // A terminal that does not know its width says 0.
    columns: stdout.isTTY === true ? stdout.columns || 80 : undefined,
    paint: paintWith(colour && wantsColour(env, stdout.isTTY === true)),
    line: (text = '') => void stdout.write(`${text}\n`),
    note: (text) => {
      const isColoured = io.stderr.isTTY === true || env['FORCE_COLOR'];
      io.stderr.write(`${isColoured ? text : withoutColours(text)}\n`);
    },
    status: (text) => {
      if (io.stderr.isTTY === true && env['TERM'] !== 'dumb') io.stderr.write(`\r\x1b[K${text}`);
    },
  };
}

export function withoutColours(text: string): string {
  return text.replace(/\x1b\[[0-9;]*m/g, '');
}

type Env = Readonly<Record<string, string | undefined>>;

/** The conventions of no-color.org and force-color.org; a user's NO_COLOR wins. */
function wantsColour(env: Env, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return isTerminal && env['TERM'] !== 'dumb';
}

function paintWith(colour: boolean): Paint {
  const entries = Object.entries(codes).map(([style, [on, off]]) => [
    style,
    (text: string) => (colour && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text),
  ]);
  return Object.fromEntries(entries) as Paint; // one entry per Style, by the type of `codes`
}
