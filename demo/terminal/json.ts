/**
 * Writes JSON in lines of a limited width: what fits stays on one line, everything else is unfolded. Only a long
 * scalar is wider.
 */
export function foldJson(value: unknown, width: number, indent = '', prefix = ''): string[] {
  const inline = spaced(value);
  const room = width - indent.length - prefix.length - 1;
  if (inline.length <= room || typeof value !== 'object' || value === null) return [indent + prefix + inline];
  const deeper = `${indent}  `;
  const isArray = Array.isArray(value);
  const members = Object.entries(value);
  const lines = members.flatMap(([key, member], index) => {
    const folded = foldJson(member, width, deeper, isArray ? '' : `${JSON.stringify(key)}: `);
    if (index < members.length - 1) folded.push(`${folded.pop() ?? ''},`);
    return folded;
  });
  return [indent + prefix + (isArray ? '[' : '{'), ...lines, indent + (isArray ? ']' : '}')];
}

/** On one line, with spaces for readability. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
