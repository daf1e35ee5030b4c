// npm run screenshots:terminal: what commands print, as pictures of the docs: an agent of Vercel's AI SDK behind
// `mcp-verbatim observe` and `mcp-verbatim check`.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { startPeer } from '../bench/peer.js';
import { publishedServers } from '../test/conformance/mcp/published-servers.mjs';
import { startEverything } from '../test-support/servers/published.js';
import { findChromium } from '../test-support/editor/editor.js';
import { startObserving } from '../test-support/observed.js';
import { requiredPackages } from '../test-support/packages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const columns = 100;

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

async function main(): Promise<void> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  const page = await browser.newPage({ deviceScaleFactor: 2 });
  await take(page, 'check', check());
  await take(page, 'observe', await observe());
  await browser.close();
}

/** Installed with the packages that it asks for: beside this project's zod 3, its tools lose their descriptions. */
const everything = publishedServers(['@modelcontextprotocol/server-everything'])[0]!;

function check(): string {
  const cli = join(root, 'packages/mcp-verbatim/dist/esm/cli.js');
  const output = printed([cli, 'check', '--', everything.command, ...everything.args]);
  return `$ mcp-verbatim check -- npx -y @modelcontextprotocol/server-everything\n${output}`;
}

function printed(args: readonly string[]): string {
  const env = { ...process.env, FORCE_COLOR: '1', COLUMNS: String(columns) };
  try {
    return execFileSync(process.execPath, args, {
      cwd: root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    return (error as { stdout: string }).stdout; // check exits with 1 if it finds something
  }
}

async function observe(): Promise<string> {
  const server = await startEverything(everything);
  const argv = ['--play', '--call', 'get-sum', '{"a": "2", "b": 3}', '--diff', 'get-sum'];
  const observed = await startObserving([...argv, '--url', server.url], columns);
  const peer = startPeer('@ai-sdk/mcp', join(requiredPackages('bench/peers')));
  await peer.ask(server.url, observed.url);
  peer.close();
  const { stdout } = await observed.stop();
  await server.close();
  return `$ mcp-verbatim observe --play --call get-sum '{"a": "2", "b": 3}' --diff get-sum …\n${stdout}`;
}

async function take(page: Page, name: string, output: string): Promise<void> {
  await page.setContent(htmlOf(output.trimEnd()));
  await page.locator('pre').screenshot({ path: join(root, 'docs/images', `${name}.png`) });
}

/** The colours in which this is readable on a dark ground. */
const colours: Readonly<Record<string, string>> = {
  1: 'font-weight:bold',
  2: 'opacity:.6',
  31: 'color:#ff7b72',
  32: 'color:#7ee787',
  33: 'color:#e3b341',
  36: 'color:#79c0ff',
};

function htmlOf(output: string): string {
  const parts = output.split(/\x1b\[(\d+)m/);
  const body = parts.map((part, at) => {
    if (at % 2 === 0) return part.replace(/&/g, '&amp;').replace(/</g, '&lt;');
    return part in colours ? `<span style="${colours[part]}">` : '</span>';
  });
  const style = 'display:inline-block;margin:0;padding:16px;background:#0d1117;color:#e6edf3;font:14px/1.45 monospace';
  return `<body style="margin:0"><pre style="${style}">${body.join('')}</pre></body>`;
}
