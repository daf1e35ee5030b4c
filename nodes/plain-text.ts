/**
 * Text of a stranger for the places that n8n's editor shows as HTML: descriptions, hints, errors. A `<` begins markup
 * where one of these characters follows (HTML, 13.2.5.6); elsewhere it is that sign, as in `<= 5`.
 */
export function plainText(text: string): string {
  return text.replaceAll(/<(?=[a-z/!?])/gi, '‹');
}
