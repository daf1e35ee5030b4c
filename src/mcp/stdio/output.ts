import { Chunks } from '../wire/chunks.js';

/**
 * Cuts a byte stream into lines. A line may arrive in any number of pieces; nothing is copied twice, so that a line
 * of 50 MB costs no more than its length.
 *
 * @param maxBytes the longest line accepted
 * @param onLine called with every complete line, without its line end
 * @param onOverflow called once when a line exceeds the bound; the splitter drops everything from then on
 */
export function lineSplitter(
  maxBytes: number,
  onLine: (line: string) => void,
  onOverflow: () => void,
): {
  push(chunk: Buffer): void;
  /** Gives out a last line that has no line end. */
  end(): void;
  /** The line that has not ended yet. */
  unfinished(): string;
} {
  const pieces = new Chunks();
  let overflowed = false;

  const keep = (piece: Buffer): boolean => {
    pieces.push(piece);
    if (pieces.length <= maxBytes) return true;
    overflowed = true;
    pieces.clear();
    onOverflow();
    return false;
  };

  const finish = () => {
    onLine(pieces.takeText().replace(/\r$/, ''));
  };

  return {
    push(chunk) {
      let start = 0;
      while (!overflowed) {
        const end = chunk.indexOf(0x0a, start);
        if (end < 0) {
          if (start < chunk.length) keep(chunk.subarray(start));
          return;
        }
        if (!keep(chunk.subarray(start, end))) return;
        start = end + 1;
        finish();
      }
    },
    end() {
      if (pieces.length > 0 && !overflowed) finish();
    },
    unfinished: () => pieces.text(),
  };
}

/** The end of a text that may never stop. */
export interface Tail {
  push(text: string | Buffer): void;
  /** @param more what goes on behind it */
  text(more?: string): string;
}

/**
 * Remembers the end of a text.
 *
 * @param maxLength how much of the end is kept, in characters
 * @param mask hides secrets, before the text is cut where it is shown
 */
export function tailOf(maxLength: number, mask: (text: string, longest?: number) => string): Tail {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let kept = '';
  let cut = false;
  return {
    push(text) {
      kept += typeof text === 'string' ? text : decoder.decode(text, { stream: true });
      // Cut now and then, not each time: that would copy all of it for every line of a flood.
      if (kept.length > 16 * maxLength) {
        // More than is shown: its first characters may be a part of a secret.
        kept = kept.slice(-2 * maxLength);
        cut = true;
      }
    },
    text(more = '') {
      const text = `${mask(kept)}${mask(more, maxLength)}`.trim().slice(-maxLength);
      // The first line is likely a fragment once something was cut off before it.
      const firstEnd = cut || kept.length > maxLength ? text.indexOf('\n') : -1;
      return firstEnd < 0 ? text : `…\n${text.slice(firstEnd + 1)}`;
    },
  };
}
