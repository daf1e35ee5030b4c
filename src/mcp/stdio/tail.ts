/**
 * Remembers the end of a text stream that may never stop.
 *
 * @param maxBytes how much of the end is kept
 */
export function tailOf(maxBytes: number): { push(chunk: Buffer): void; text(): string } {
  let kept = Buffer.alloc(0);
  let cut = false;
  return {
    push(chunk) {
      const all = Buffer.concat([kept, chunk.subarray(Math.max(0, chunk.length - maxBytes))]);
      cut ||= kept.length + chunk.length > maxBytes;
      kept = Buffer.from(all.subarray(Math.max(0, all.length - maxBytes)));
    },
    text() {
      const text = kept.toString('utf8').trim();
      // The first line is likely a fragment once something was cut off before it.
      const firstEnd = cut ? text.indexOf('\n') : -1;
      return firstEnd < 0 ? text : `…\n${text.slice(firstEnd + 1)}`;
    },
  };
}
