/**
 * Which tools the figures are about: `npm run bench:servers` writes the names, versions and digests of the recorded servers'
 * tools into docs/benchmarks/servers.json. A digest is the first 16 hexadecimal digits of the SHA-256 of the schema as JSON
 * without blanks, in the order of the server. The lists themselves belong to their authors, and are not published.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readCorpus } from '../test-support/servers/corpus.js';
import { requiredFolder } from '../test-support/shared.js';
import { wireTools } from './fidelity.js';

const servers = readCorpus(requiredFolder('corpus')).map(({ package: name, version, toolsListLines }) => ({
  name,
  version,
  tools: wireTools(toolsListLines).map((tool) => `${String(tool.name)} ${digest(tool.inputSchema)}`),
}));
const lines = servers.map((server) => `  ${JSON.stringify(server)}`);
writeFileSync(
  fileURLToPath(new URL('../docs/benchmarks/servers.json', import.meta.url)),
  `[\n${lines.join(',\n')}\n]\n`,
);

function digest(schema: unknown): string {
  return createHash('sha256')
    .update(schema === undefined ? '' : JSON.stringify(schema))
    .digest('hex')
    .slice(0, 16);
}
