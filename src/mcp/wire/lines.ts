import { Chunks } from './chunks.js';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Cuts bytes into lines, which end in a line feed, a carriage return or both. A line may arrive in any number of pieces;
 * nothing is copied twice, so that a line of 50 MB costs no more than its length.
 *
 * @param maxBytes the longest line accepted
 * @param onLine called with every complete line, without its end
 * @param onOverflow called once when a line is longer; everything from then on is dropped
 */
export function lineSplitter(
  maxBytes: number,
  onLine: (line: string) => void,
  onOverflow: () => void,
): {
  push(chunk: Uint8Array): void;
  /** Gives out a last line that has no line end. */
  end(): void;
  /** The line that has not ended yet. */
  unfinished(): string;
} {
  const line = new Chunks();
  let overflowed = false;
  let afterReturn = false;
  return {
    push(chunk) {
      let start = 0;
      while (!overflowed && start < chunk.length) {
        // The other half of a line end.
        if (afterReturn && chunk[start] === lineFeed) start++;
        afterReturn = false;
        const end = lineEnd(chunk, start);
        line.push(chunk.subarray(start, end));
        if (line.length > maxBytes) {
          overflowed = true;
          line.clear();
          onOverflow();
        } else if (end < chunk.length) {
          afterReturn = chunk[end] === carriageReturn;
          onLine(line.takeText());
        }
        start = end + 1;
      }
    },
    end() {
      if (line.length > 0) onLine(line.takeText());
    },
    unfinished: () => line.text(),
  };
}

function lineEnd(chunk: Uint8Array, start: number): number {
  const feed = chunk.indexOf(lineFeed, start);
  const end = feed < 0 ? chunk.length : feed;
  // Nearly nobody ends lines in carriage returns: looked for within the line only.
  const back = chunk.subarray(start, end).indexOf(carriageReturn);
  return back < 0 ? end : start + back;
}
