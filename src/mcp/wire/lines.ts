import { textOfBytes } from '../../json/index.js';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Cuts bytes into lines, which end in a line feed, with a carriage return before it or not.
 *
 * @param maxBytes a longer line sets `isTooLong`; everything from then on is dropped
 * @param endsInReturn whether a carriage return alone ends a line, too; within JSON it is a space
 */
export function lineSplitter(maxBytes: number, endsInReturn = false) {
  const line = new Chunks();
  let afterReturn = false;
  const splitter = {
    isTooLong: false,
    *push(chunk: Uint8Array): Generator<string> {
      let start = 0;
      while (!splitter.isTooLong && start < chunk.length) {
        // The other half of a line end.
        if (afterReturn && chunk[start] === lineFeed) start++;
        afterReturn = false;
        const end = lineEnd(chunk, start, endsInReturn);
        line.push(chunk.subarray(start, end));
        splitter.isTooLong = line.length > maxBytes;
        if (splitter.isTooLong) line.clear();
        else if (end < chunk.length) {
          afterReturn = chunk[end] === carriageReturn;
          yield line.takeText().replace(/\r$/, '');
        }
        start = end + 1;
      }
    },
    /** The last line, if it does not end. */
    end: (): string[] => (line.length > 0 ? [line.takeText().replace(/\r$/, '')] : []),
    unfinished: () => line.text(),
  };
  return splitter;
}

function lineEnd(chunk: Uint8Array, start: number, endsInReturn: boolean): number {
  const feed = chunk.indexOf(lineFeed, start);
  const end = feed < 0 ? chunk.length : feed;
  if (!endsInReturn) return end;
  // Nearly nobody ends lines in carriage returns: looked for within the line only.
  const back = chunk.subarray(start, end).indexOf(carriageReturn);
  return back < 0 ? end : start + back;
}

/** Bytes in one buffer that doubles: a server may send single bytes, which take little more memory than their length. */
export class Chunks {
  length = 0;
  #bytes = new Uint8Array();

  push(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.length);
    this.length = length;
  }

  text(): string {
    return textOfBytes(this.#bytes.subarray(0, this.length));
  }

  takeText(): string {
    const text = this.text();
    this.clear();
    return text;
  }

  clear(): void {
    this.#bytes = new Uint8Array();
    this.length = 0;
  }
}
