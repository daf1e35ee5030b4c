// Exits with 1 if a field is missing that only the owner of the repository can fill in: docs/contributing/releasing.md.
import { readFileSync } from 'node:fs';

const missing = [];
for (const file of ['package.json', 'packages/mcp-verbatim/package.json']) {
  const manifest = JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
  const need = (field, value) => {
    if (typeof value !== 'string' || value === '' || value.endsWith('.invalid')) missing.push(`${file}: ${field}`);
  };
  need('repository.url', manifest.repository?.url);
  need('bugs.url', manifest.bugs?.url);
  need('homepage', manifest.homepage);
  need('author.name', manifest.author?.name);
  need('author.email', manifest.author?.email);
}
if (missing.length > 0) {
  console.error(`Not published: fill in ${missing.join(', ')}, as docs/contributing/releasing.md says ("Once").`);
  process.exitCode = 1;
}
