import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('../docs', import.meta.url));

/**
 * Puts the sections of a measured report into docs/benchmarks.md and the pages below docs/benchmarks, each between its markers:
 * `<!-- bench: Calls -->` and `<!-- end -->`. The pages have their own order and their own headings.
 *
 * @param report Markdown; a section begins with `## 2. Calls: what the server receives`, and its links lead from docs
 * @throws if no page has markers for a section
 */
export function putSections(source: string, report: string): void {
  const below = readdirSync(join(docs, 'benchmarks')).filter((file) => file.endsWith('.md'));
  const pages = [join(docs, 'benchmarks.md'), ...below.map((file) => join(docs, 'benchmarks', file))];
  // The text before the first heading, below the title, describes the measurement.
  for (const section of report.replace(/^# .*/, '## About').split(/^## /m)) {
    const [heading = '', ...lines] = section.split('\n');
    if (heading === '' || heading === 'Rerun') continue; // the page says so itself
    const marker = `<!-- ${source}: ${heading.replace(/^\d+\. |[:,].*/g, '')} -->`;
    const page = pages.find((file) => readFileSync(file, 'utf8').includes(marker));
    if (page === undefined) throw new Error(`No page of docs/benchmarks has ${marker}`);
    const text = readFileSync(page, 'utf8');
    const begin = text.indexOf(marker);
    const body = lines.join('\n').trim();
    const linked = page === pages[0] ? body : body.replace(/\]\((?!https?:|#)/g, '](../');
    writeFileSync(
      page,
      `${text.slice(0, begin)}${marker}\n${linked}\n${text.slice(text.indexOf('<!-- end -->', begin))}`,
    );
  }
}
