/** The last characters of a text that may never stop. @param mask hides secrets, before the text is cut */
export function tailOf(maxLength: number, mask: (text: string, longest?: number) => string) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let kept = '';
  let unsure = 0; // characters at its beginning that are not shown
  return {
    push(text: string | Buffer): void {
      kept += typeof text === 'string' ? text : decoder.decode(text, { stream: true });
      // Not each time: that would copy everything for every line of a flood.
      if (kept.length > 16 * maxLength) {
        // Its first characters may be a part of a secret, which is hidden as a whole alone.
        kept = kept.slice(-7 * maxLength);
        unsure = 5 * maxLength;
      }
    },
    /** @param more the text that follows and is not kept */
    text(more = ''): string {
      const text = `${mask(kept).slice(unsure)}${mask(more, maxLength)}`.trim().slice(-maxLength);
      // The first line is likely a fragment once something was cut off before it.
      const firstEnd = kept.length > maxLength ? text.indexOf('\n') : -1;
      return firstEnd < 0 ? text : `…\n${text.slice(firstEnd + 1)}`;
    },
  };
}
