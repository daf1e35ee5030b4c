export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

export function percent(part: number, all: number): string {
  if (part === 0) return '0';
  const share = (part / all) * 100;
  return share === 100 ? '100 %' : `${share.toFixed(1)} %`;
}

/** @param time in milliseconds */
export function ms(time: number): string {
  return time < 10_000 ? `${Math.round(time).toLocaleString('en')} ms` : `${(time / 1000).toFixed(1)} s`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
