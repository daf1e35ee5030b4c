import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../test-support/free-port.js';
import { installCommunityPackage } from '../../test-support/n8n/community-package.js';
import { nodeFolder, nodeVersions } from '../../test-support/node/install.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { agent, modelAndTools } from '../runtimes/agent.js';

// npm run test:install: the packages as users install them, from tarballs, beside the newest versions of their
// frameworks.
const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mcp-verbatim-install-'));
/**
 * Each uses a TypeScript that checks the installed types. The older TypeScript is seven times slower and checks once.
 */
const managers = {
  'npm 10': ['npm@10', 'npm', 'install', 'typescript'],
  'npm 11': ['npm@11', 'npm', 'install', 'typescript-7'],
  pnpm: ['pnpm@10', 'pnpm', 'add', 'typescript-7'],
} as const;
const companions = ['langchain', '@langchain/core', '@langchain/langgraph', '@openai/agents', 'zod@4'];

/** The statement that loads the packages, by the program's module type. */
const loading = {
  module:
    'import { connect, callTool, resultText } from "mcp-verbatim"; import { mcpTools } from "mcp-verbatim/langchain"; import { StructuredTool } from "@langchain/core/tools";',
  commonjs:
    'const { connect, callTool, resultText } = require("mcp-verbatim"); const { mcpTools } = require("mcp-verbatim/langchain"); const { StructuredTool } = require("@langchain/core/tools");',
};

let library: string;
let nodes: string;

beforeAll(async () => {
  library = await pack(join(root, 'packages', 'mcp-verbatim'));
  nodes = await pack(root);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.concurrent.each(Object.entries(managers))('with %s', (_name, [manager, command, add, typescript]) => {
  test('mcp-verbatim alone brings no other package, and its command runs', async ({ expect }) => {
    const folder = project();
    await run(folder, manager, command, add, library);
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['mcp-verbatim']);
    expect(await printed(join(folder, 'node_modules', '.bin', 'mcp-verbatim'), ['--version'])).toMatch(/^\d/);
    const program = "import { connect } from 'mcp-verbatim'; void connect;";
    expect(await types(typescript, folder, program, nodeTypes, '--skipLibCheck', 'false')).toBe('');
    expect(await types(typescript, folder, program, [], '--skipLibCheck', 'false', '--lib', 'es2023,dom')).toBe('');
  });

  test('mcp-verbatim works beside the newest LangChain, LangGraph, OpenAI Agents and Zod 4', async ({ expect }) => {
    const folder = project();
    expect(await run(folder, manager, command, add, library, ...companions)).not.toContain('ERESOLVE');
    for (const [type, load] of Object.entries(loading)) expect(await listing(folder, type, load)).toBe('true\n');
    const program = `import { createAgent } from 'langchain'; import { mcpTools } from 'mcp-verbatim/langchain';
      createAgent({ model: 'openai:gpt-5', tools: await mcpTools({ url: 'http://127.0.0.1' }) });`;
    expect(await types(typescript, folder, program)).toBe('');
  });
});

describe('under the versions of Node', () => {
  let folder: string;
  beforeAll(async () => {
    folder = project();
    await run(folder, 'npm@11', 'npm', 'install', library, '@langchain/core');
  });

  test.for(nodeVersions)(
    'With %s, mcp-verbatim lists, calls and repairs from ES modules and CommonJS, and its command runs',
    async (major) => {
      const node = join(await nodeFolder(major), 'node');
      expect(await printed(node, ['--version'])).toMatch(new RegExp(`^v${major}[.]`));
      for (const [type, load] of Object.entries(loading)) {
        expect(await listing(folder, type, load, node)).toBe('true\n');
        expect(await calling(folder, type, load, node)).toBe('{"steps":2} 1\n');
      }
      const { command, args = [] } = stdioServer('plain');
      const cli = join(folder, 'node_modules', '.bin', 'mcp-verbatim');
      expect(await printed(node, [cli, 'list', '--', command, ...args])).toContain('progress');
    },
  );
});

test(
  'The tools of mcp-verbatim are adapted, bound and called in an edge route of Next.js',
  { timeout: 600_000 },
  async () => {
    const folder = project();
    const others = ['next@16', 'react@19', 'react-dom@19', '@langchain/core', '@langchain/openai'];
    await run(folder, 'npm@11', 'npm', 'install', library, ...others);
    const files = {
      'next.config.mjs': 'export default { turbopack: { root: import.meta.dirname } };',
      'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;',
      'app/agent/route.js': `${agent}
      export const runtime = 'edge';
      export async function GET(request) {
        const text = await act(new URL(request.url).searchParams.get('origin'));
        return Response.json({ text, edge: typeof EdgeRuntime });
      }`,
    };
    mkdirSync(join(folder, 'app', 'agent'), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const next = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next');
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
    await printed(process.execPath, [next, 'build'], folder, env);
    const port = String(await freePort());
    const options = ['start', '-H', '127.0.0.1', '-p', port];
    const started = spawn(process.execPath, [next, ...options], { cwd: folder, env, stdio: 'ignore' });
    onTestFinished(() => void started.kill());
    const { origin, schemas, close } = await modelAndTools(startHttpServer);
    onTestFinished(close);
    const page = `http://127.0.0.1:${port}/agent?origin=${encodeURIComponent(origin)}`;
    const answer = () =>
      fetch(page)
        .then((response) => response.json())
        .catch(String);
    await expect.poll(answer, { timeout: 60_000 }).toEqual({ text: '{"a":"said"}', edge: 'string' });
    expect(schemas[0]).not.toHaveProperty('anyOf');
  },
);

test('n8n-nodes-mcp-verbatim, by the steps that n8n takes, brings no other package', async () => {
  await installCommunityPackage(scratch, nodes);
  const folder = join(scratch, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-mcp-verbatim');
  expect(existsSync(join(folder, 'dist', 'nodes', 'McpVerbatim', 'McpVerbatim.node.js'))).toBe(true);
  expect(existsSync(join(folder, 'node_modules'))).toBe(false);
});

async function printed(command: string, args: readonly string[], cwd = scratch, env = process.env): Promise<string> {
  return (await promisify(execFile)(command, args, { cwd, env })).stdout;
}

async function pack(folder: string): Promise<string> {
  const packed = await printed('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch], folder);
  return join(scratch, (JSON.parse(packed) as [{ filename: string }])[0].filename);
}

function project(): string {
  const folder = mkdtempSync(join(scratch, 'project-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  return folder;
}

async function run(cwd: string, manager: string, command: string, ...args: string[]): Promise<string> {
  // The project's own .npmrc would change how peers are installed, and hide what users meet.
  const env = { ...process.env, npm_config_legacy_peer_deps: 'false' };
  return await printed('npm', ['exec', '--yes', `--package=${manager}`, '--', command, ...args], cwd, env);
}

function listing(cwd: string, type: string, load: string, node = process.execPath): Promise<string> {
  const { command, args = [] } = stdioServer('plain');
  const code = `
      const tools = await mcpTools(${JSON.stringify({ command, args })});
      console.log(tools.length > 0 && tools.every((tool) => tool instanceof StructuredTool));
      await tools.close();`;
  return program(cwd, type, load, code, node);
}

function calling(cwd: string, type: string, load: string, node: string): Promise<string> {
  const { command, args = [] } = stdioServer('integers');
  const code = `
      const session = await connect(${JSON.stringify({ transport: 'stdio', command, args })});
      const tool = (await session.listTools()).find('echo');
      const { result, repairs } = await callTool(session, tool, { steps: '2' });
      console.log(resultText(result), repairs.length);
      await session.close();`;
  return program(cwd, type, load, code, node);
}

function program(cwd: string, type: string, load: string, code: string, node: string): Promise<string> {
  return printed(node, [`--input-type=${type}`, '-e', `${load} void (async () => {${code}})();`], cwd);
}

const nodeTypes = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];

async function types(typescript: string, cwd: string, code: string, ambient = nodeTypes, ...options: string[]) {
  mkdirSync(join(cwd, 'types'), { recursive: true });
  writeFileSync(join(cwd, 'types', 'program.mts'), code);
  const tsc = join(root, 'node_modules', typescript, 'bin', 'tsc');
  const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck', ...options];
  try {
    return await printed(process.execPath, [tsc, ...strict, ...ambient, join('types', 'program.mts')], cwd);
  } catch (error) {
    return String((error as { stdout?: string }).stdout); // what execFile throws has the output
  }
}
