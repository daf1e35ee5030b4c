// Starts published servers over stdio and lists their tools with this package's client: `node
// test/conformance/mcp/published.mjs [name ...]`, after a build. Where the corpus is there, each tool must be, byte for
// byte, what was recorded of the same version. The versions are pinned in published/, with all that they need.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../../../packages/mcp-verbatim/dist/esm/index.js';
import { installLocked } from './install.mjs';
import { publishedServers } from './published-servers.mjs';

const packages = installLocked('published');
const recorded = readRecorded(fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url)));
const wanted = process.argv.slice(2);
const servers = publishedServers.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

let failed = 0;
for (const server of servers) {
  const { version, program } = installed(server.name);
  const outcome = await check(server, version, program).catch((error) => ({ ok: false, text: error.message }));
  if (!outcome.ok) failed++;
  console.log(`${outcome.ok ? 'ok ' : 'RED'} ${server.name} ${version}: ${outcome.text}`);
}
console.log(`published servers: ${servers.length - failed}/${servers.length}`);
process.exit(failed === 0 ? 0 : 1);

async function check({ name, env }, version, program) {
  const session = await connect({
    transport: 'stdio',
    command: process.execPath,
    args: [program],
    ...(env && { env }),
  });
  try {
    return compare(await session.listTools(), recorded.get(`${name}@${version}`));
  } finally {
    await session.close();
  }
}

function compare({ tools, setAside }, expected) {
  if (setAside.length > 0) return { ok: false, text: `${setAside.length} tools set aside` };
  if (tools.length === 0) return { ok: false, text: 'no tools' };
  if (!expected) return { ok: true, text: `${tools.length} tools` };
  const differing = tools.filter(
    ({ definition }) => !expected.some((line) => line.includes(JSON.stringify(definition))),
  );
  const text = `${tools.length - differing.length} of ${tools.length} tools as recorded`;
  return { ok: differing.length === 0, text: `${text}${differing.map((tool) => `, not ${tool.name}`).join('')}` };
}

function installed(name) {
  const folder = join(packages, name);
  const { version, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { version, program: join(folder, typeof bin === 'string' ? bin : Object.values(bin)[0]) };
}

function readRecorded(folder) {
  const lines = new Map();
  if (!existsSync(folder)) return lines;
  for (const file of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const server = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    lines.set(`${server.package}@${server.version}`, server.toolsListLines);
  }
  return lines;
}
