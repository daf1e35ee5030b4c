import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Puts the sections of a measured report into docs/benchmarks.md, each between its markers: `<!-- bench: Calls -->` and
 * `<!-- end -->`. The page has its own order and its own headings.
 *
 * @param report Markdown; a section begins with `## 2. Calls: what the server receives`
 * @throws where the page has no markers for a section
 */
export function putSections(page: string, source: string, report: string): void {
  let text = readFileSync(page, 'utf8');
  // What stands before the first heading, below the title, says what was measured.
  for (const section of report.replace(/^# .*/, '## About').split(/^## /m)) {
    const [heading = '', ...lines] = section.split('\n');
    if (heading === '' || heading === 'Rerun') continue; // the page says so itself
    const marker = `<!-- ${source}: ${heading.replace(/^\d+\. |[:,].*/g, '')} -->`;
    const begin = text.indexOf(marker);
    const end = text.indexOf('<!-- end -->', begin);
    if (begin < 0 || end < 0) throw new Error(`${page} has no ${marker}`);
    const body = lines.join('\n').replace(/^### /gm, '#### ').trim();
    text = `${text.slice(0, begin)}${marker}\n${body}\n${text.slice(end)}`;
  }
  writeFileSync(page, text);
}
