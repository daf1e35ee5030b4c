/** The last characters of a text that may never stop. @param mask hides secrets, before the text is cut */
export function tailOf(maxLength: number, mask: (text: string, longest?: number) => string) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let kept = '';
  return {
    push(text: string | Buffer): void {
      kept += typeof text === 'string' ? text : decoder.decode(text, { stream: true });
      // Not each time: that would copy everything for every line of a flood.
      if (kept.length > 16 * maxLength) {
        // More than is shown, as its first characters may be a part of a secret.
        kept = kept.slice(-2 * maxLength);
      }
    },
    /** @param more the text that follows and is not kept */
    text(more = ''): string {
      const text = `${mask(kept)}${mask(more, maxLength)}`.trim().slice(-maxLength);
      // The first line is likely a fragment once something was cut off before it.
      const firstEnd = kept.length > maxLength ? text.indexOf('\n') : -1;
      return firstEnd < 0 ? text : `…\n${text.slice(firstEnd + 1)}`;
    },
  };
}
