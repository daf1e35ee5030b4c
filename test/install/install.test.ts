import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installCommunityPackage } from '../../test-support/n8n/community-package.js';
import { nodeFolder, nodeVersions } from '../../test-support/node/install.js';
import { stdioServer } from '../../test-support/servers/stdio.js';

// The packages as users install them, from tarballs, beside the newest of what they are used with: npm run test:install.
const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mcp-verbatim-install-'));
const managers = {
  'npm 10': ['npm@10', 'npm', 'install'],
  'npm 11': ['npm@11', 'npm', 'install'],
  pnpm: ['pnpm@10', 'pnpm', 'add'],
} as const;
const companions = ['langchain', '@langchain/core', '@langchain/langgraph', '@openai/agents', 'zod@4'];

let library: string;
let nodes: string;

beforeAll(() => {
  library = pack(join(root, 'packages', 'mcp-verbatim'));
  nodes = pack(root);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.each(Object.entries(managers))('with %s', (_name, [manager, command, add]) => {
  test('mcp-verbatim alone brings no other package, and its command runs', () => {
    const folder = project();
    run(folder, manager, command, add, library);
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['mcp-verbatim']);
    expect(execFileSync(join(folder, 'node_modules', '.bin', 'mcp-verbatim'), ['--version'], output)).toMatch(/^\d/);
    const program = "import { connect } from 'mcp-verbatim'; void connect;";
    expect(types(folder, program, nodeTypes, '--skipLibCheck', 'false')).toBe('');
    expect(types(folder, program, [], '--skipLibCheck', 'false', '--lib', 'es2023,dom')).toBe('');
  });

  test('mcp-verbatim installs beside LangGraph and Zod, as its page says', () => {
    const folder = project();
    expect(run(folder, manager, command, add, library, '@langchain/langgraph', 'zod')).not.toContain('ERESOLVE');
  });

  test('mcp-verbatim works beside the newest LangChain, LangGraph, OpenAI Agents and Zod 4', () => {
    const folder = project();
    run(folder, manager, command, add, library, ...companions);
    expect(
      program(
        folder,
        'module',
        'import { mcpTools } from "mcp-verbatim/langchain"; import { StructuredTool } from "@langchain/core/tools";',
      ),
    ).toBe('true\n');
    expect(
      program(
        folder,
        'commonjs',
        'const { mcpTools } = require("mcp-verbatim/langchain"); const { StructuredTool } = require("@langchain/core/tools");',
      ),
    ).toBe('true\n');
    expect(
      types(
        folder,
        `import { createAgent } from 'langchain'; import { mcpTools } from 'mcp-verbatim/langchain';
        createAgent({ model: 'openai:gpt-5', tools: await mcpTools({ url: 'http://127.0.0.1' }) });`,
      ),
    ).toBe('');
  });
});

describe.each(nodeVersions)('under Node %s', (major) => {
  test('mcp-verbatim lists, calls and repairs, from ES modules and CommonJS; its command runs', async () => {
    const node = join(await nodeFolder(major), 'node');
    expect(execFileSync(node, ['--version'], output)).toMatch(new RegExp(`^v${major}[.]`));
    const folder = project();
    run(folder, 'npm@11', 'npm', 'install', library, '@langchain/core');
    const module =
      'import { connect, callTool, resultText } from "mcp-verbatim"; import { mcpTools } from "mcp-verbatim/langchain"; import { StructuredTool } from "@langchain/core/tools";';
    const commonjs =
      'const { connect, callTool, resultText } = require("mcp-verbatim"); const { mcpTools } = require("mcp-verbatim/langchain"); const { StructuredTool } = require("@langchain/core/tools");';
    for (const [type, load] of Object.entries({ module, commonjs })) {
      expect(program(folder, type, load, node)).toBe('true\n');
      expect(callProgram(folder, type, load, node)).toBe('{"steps":2} 1\n');
    }
    const { command, args = [] } = stdioServer('plain');
    const cli = join(folder, 'node_modules', '.bin', 'mcp-verbatim');
    expect(execFileSync(node, [cli, 'list', '--', command, ...args], output)).toContain('progress');
  });
});

test('n8n-nodes-mcp-verbatim, by the steps that n8n takes, brings no other package', async () => {
  await installCommunityPackage(scratch, nodes);
  const folder = join(scratch, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-mcp-verbatim');
  expect(existsSync(join(folder, 'dist', 'nodes', 'McpVerbatim', 'McpVerbatim.node.js'))).toBe(true);
  expect(existsSync(join(folder, 'node_modules'))).toBe(false);
});

const output: ExecFileSyncOptionsWithStringEncoding = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };

function pack(folder: string): string {
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch], {
    cwd: folder,
    ...output,
  });
  return join(scratch, (JSON.parse(packed) as [{ filename: string }])[0].filename);
}

function project(): string {
  const folder = mkdtempSync(join(scratch, 'project-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  return folder;
}

function run(cwd: string, manager: string, command: string, ...args: string[]): string {
  // What this project's own .npmrc says of peers would hide what users meet.
  const env = { ...process.env, npm_config_legacy_peer_deps: 'false' };
  return execFileSync('npm', ['exec', '--yes', `--package=${manager}`, '--', command, ...args], {
    cwd,
    env,
    ...output,
  });
}

function program(cwd: string, type: string, load: string, node = process.execPath): string {
  const { command, args = [] } = stdioServer('plain');
  const code = `${load}
    void (async () => {
      const tools = await mcpTools(${JSON.stringify({ command, args })});
      console.log(tools.length > 0 && tools.every((tool) => tool instanceof StructuredTool));
      await tools.close();
    })();`;
  return execFileSync(node, [`--input-type=${type}`, '-e', code], { cwd, ...output });
}

function callProgram(cwd: string, type: string, load: string, node: string): string {
  const { command, args = [] } = stdioServer('integers');
  const code = `${load}
    void (async () => {
      const session = await connect(${JSON.stringify({ transport: 'stdio', command, args })});
      const tool = (await session.listTools()).find('echo');
      const { result, repairs } = await callTool(session, tool, { steps: '2' });
      console.log(resultText(result), repairs.length);
      await session.close();
    })();`;
  return execFileSync(node, [`--input-type=${type}`, '-e', code], { cwd, ...output });
}

const nodeTypes = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];

function types(cwd: string, code: string, ambient = nodeTypes, ...options: string[]): string {
  mkdirSync(join(cwd, 'types'), { recursive: true });
  writeFileSync(join(cwd, 'types', 'program.mts'), code);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck', ...options];
  try {
    return execFileSync(process.execPath, [tsc, ...strict, ...ambient, join('types', 'program.mts')], {
      cwd,
      ...output,
    });
  } catch (error) {
    return String((error as { stdout?: string }).stdout); // what execFileSync throws has the output
  }
}
