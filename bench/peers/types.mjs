// Writes TypeScript types of a tool's arguments as its peers do: a tool per line on stdin, a module per line on stdout.
//
//   { peer, name, description, inputSchema } -> { source, type } or { error }
//
// `type` names the type of the arguments within `source`.
import { createInterface } from 'node:readline';
import { compile } from 'json-schema-to-typescript';
import { renderTypesModule } from './node_modules/mcporter/dist/cli/emit-ts-templates.js';
import { extractOptions } from './node_modules/mcporter/dist/cli/generate/tools.js';
import { buildToolDoc } from './node_modules/mcporter/dist/cli/list-detail-helpers.js';

const peers = {
  async 'json-schema-to-typescript'({ inputSchema }) {
    const source = await compile(inputSchema, 'Arguments', {
      bannerComment: '',
      format: false,
      $refOptions: { resolve: { external: false } },
    });
    // A title of the schema takes the place of the name, and stands last.
    const names = [...source.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    return { source, type: names.includes('Arguments') ? 'Arguments' : names[0] };
  },

  // As `mcporter emit-ts --include-optional` does.
  async mcporter({ name, description, inputSchema }) {
    const doc = buildToolDoc({
      serverName: 'server',
      toolName: name,
      description,
      options: extractOptions({ name, description, inputSchema }),
      requiredOnly: false,
      colorize: false,
      defaultReturnType: 'CallResult',
    });
    const metadata = {
      server: { name: 'server', command: { kind: 'http', url: 'http://127.0.0.1/' } },
      generatedAt: new Date(0),
    };
    const source = renderTypesModule({ interfaceName: 'Tools', docs: [{ toolName: name, doc }], metadata });
    return {
      source: source.replace(/^import type .*$/m, 'type CallResult = unknown;'),
      type: `Parameters<Tools[${JSON.stringify(name)}]>[0]`,
    };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { peer, ...tool } = JSON.parse(line);
  const answer = await peers[peer](tool).catch((error) => ({ error: String(error?.message ?? error) }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
