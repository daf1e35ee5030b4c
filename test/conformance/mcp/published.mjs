// Lists the tools of published servers with this package's client: `node test/conformance/mcp/published.mjs [name
// ...]`, after a build. If a recording of the same version exists, each tool must equal it byte for byte.
import { readRecordings } from './recordings.mjs';
import { connect } from '../../../packages/mcp-verbatim/dist/esm/index.js';
import { publishedServers } from './published-servers.mjs';

const recorded = readRecordings();
const servers = publishedServers(process.argv.slice(2));

let failed = 0;
for (const server of servers) {
  const outcome = await check(server).catch((error) => ({ ok: false, text: error.message }));
  if (!outcome.ok) failed++;
  console.log(`${outcome.ok ? 'ok ' : 'RED'} ${server.name} ${server.version}: ${outcome.text}`);
}
console.log(`published servers: ${servers.length - failed}/${servers.length}`);
process.exit(failed === 0 ? 0 : 1);

async function check({ name, version, command, args, env }) {
  const session = await connect({ transport: 'stdio', command, args, env });
  try {
    return compare(await session.listTools(), recorded.get(`${name}@${version}`));
  } finally {
    await session.close();
  }
}

function compare({ tools, skipped }, expected) {
  if (skipped.length > 0) return { ok: false, text: `${skipped.length} tools set aside` };
  if (tools.length === 0) return { ok: false, text: 'no tools' };
  if (!expected) return { ok: true, text: `${tools.length} tools` };
  // A server's list can depend on its settings, so a tool without a recording proves nothing.
  const known = tools.filter(({ name }) => expected.some((line) => line.includes(`"name":${JSON.stringify(name)}`)));
  const differing = known.filter(
    ({ definition }) => !expected.some((line) => line.includes(JSON.stringify(definition))),
  );
  const text = `${known.length - differing.length} of ${tools.length} tools as recorded`;
  return {
    ok: known.length > 0 && differing.length === 0,
    text: `${text}${differing.map((tool) => `, not ${tool.name}`).join('')}`,
  };
}
