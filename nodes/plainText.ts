/** Text of a stranger for the places that n8n's editor shows as HTML: descriptions, hints, notices. */
export function plainText(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}
