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
): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let length = 0;
  let overflowed = false;

  const keep = (piece: Buffer): boolean => {
    length += piece.length;
    if (length > maxBytes) {
      overflowed = true;
      pieces = [];
      onOverflow();
      return false;
    }
    pieces.push(piece);
    return true;
  };

  return (chunk) => {
    let start = 0;
    while (!overflowed) {
      const end = chunk.indexOf(0x0a, start);
      if (end < 0) {
        if (start < chunk.length) keep(chunk.subarray(start));
        return;
      }
      if (!keep(chunk.subarray(start, end))) return;
      const line = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, length);
      pieces = [];
      length = 0;
      start = end + 1;
      onLine(line.toString('utf8').replace(/\r$/, ''));
    }
  };
}
