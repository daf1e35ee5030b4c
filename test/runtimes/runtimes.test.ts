import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type BuildOptions } from 'esbuild';
import { chromium } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { findChromium } from '../../test-support/editor/editor.js';
import { freePort } from '../../test-support/free-port.js';
import { fetchedPackages } from '../../test-support/packages.js';
import type { HttpServer } from '../../test-support/servers/http.js';
import { closeAfterEach, closeLater, given } from '../mcp/serving.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { agent, modelAndTools } from './agent.js';

closeAfterEach();

const packages = fetchedPackages('test/runtimes/packages');
const binary = (path: string) => join(packages!, 'node_modules', path);

const slug = '{"type":"string","pattern":"^[a-z0-9]+(?:-[a-z0-9]+)*$"}';
const schema = `{"type":"object","properties":{"n":{"type":"integer","maximum":1152921504606846977},"slug":${slug}}}`;

/** The program's findings in every runtime. */
const found = {
  revision: '2025-11-25',
  schema,
  said: '{"n":5,"slug":"a-long-slug"}',
  asked: '{"action":"accept","content":{"sure":true}}',
  refused: 'INVALID_ARGUMENTS',
  raw: '{"count":9007199254740993}',
  pinned: expect.stringMatching(/sha256-[\w+/]{43}=/),
  formats: ['valid', 'invalid', 'invalid'],
  sent: 'echo',
};

/**
 * If a regular expression can be stopped, an endless one leaves the call undetermined; elsewhere the server decides.
 */
const watches = { endless: 'undetermined', note: [expect.stringContaining('under a time limit')] };
const leaves = { endless: 'valid', note: [expect.stringContaining('not checked here')] };

const ofWorkerd = ['workerd', 'worker', 'browser'];
/** What a program for the web must not load. */
const ofNode = /(?:from|import|require)\s*\(?["'](?:node:|fs|http|vm|buffer)/;

const pageWith = (script: string) => ({ '/': '<script src="/program.js"></script>', '/program.js': script });

let browser: ReturnType<typeof chromium.launch> | undefined;
afterAll(async () => (await browser)?.close());

type Evaluate = (script: string, expression: string, origin: string) => Promise<string>;
/** Places that run a script, their conditions, and how an expression is evaluated there beside it. */
const webPlaces: [name: string, conditions: string[], evaluate: Evaluate][] = [
  [
    'the edge runtime',
    ['edge-light', 'browser'],
    async (script, expression) => {
      const { EdgeVM } = createRequire(join(packages!, 'package.json'))('@edge-runtime/vm') as {
        EdgeVM: new () => { evaluate(code: string): unknown };
      };
      const vm = new EdgeVM();
      vm.evaluate(script);
      return (await vm.evaluate(expression)) as string;
    },
  ],
  [
    'Chromium',
    ['browser'],
    async (_script, expression, origin) => {
      browser ??= chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
      const page = await (await browser).newPage();
      closeLater(page);
      await page.goto(origin);
      return await page.evaluate<string>(expression);
    },
  ],
];

describe.skipIf(packages === undefined)('The library', () => {
  test.each<[runtime: string, command: string, args: string[]]>([
    ['Node', process.execPath, []],
    ['Bun', '@oven/bun-linux-x64/bin/bun', ['run']],
    ['Deno', '@deno/linux-x64-glibc/deno', ['run', '--allow-all', '--quiet']],
  ])('The whole library works in %s', async (_, command, args) => {
    const { url } = await mcpServer();
    const file = command.startsWith('/') ? command : binary(command);
    const environment = { ...process.env, DENO_NO_UPDATE_CHECK: '1', NO_PROXY: '127.0.0.1' };
    const options = { cwd: packages!, env: environment };
    const { stdout } = await promisify(execFile)(file, [...args, 'command.mjs', url], options);
    expect(JSON.parse(stdout)).toEqual({ ...found, ...watches, stdio: expect.any(String) });
  });

  test('The library works in workerd except for stdio, with and without nodejs_compat', async () => {
    const { url } = await mcpServer();
    const script = await bundled({ entryPoints: [join(packages!, 'worker.mjs')] }, ofWorkerd, 'esm');
    expect(script).not.toMatch(ofNode);
    for (const flags of [[], ['nodejs_compat']]) {
      const response = await fetch(`${await startWorkerd(script, flags)}/?url=${encodeURIComponent(url)}`);
      const text = await response.text();
      expect(response.status, text).toBe(200);
      expect(JSON.parse(text)).toEqual({ ...found, ...leaves, stdio: 'CONNECTION_FAILED' });
    }
  });

  test.each(webPlaces)('The library works in %s except for stdio', async (_, conditions, evaluate) => {
    const script = await bundled({ entryPoints: [join(packages!, 'global.mjs')] }, conditions, 'iife');
    expect(script).not.toMatch(ofNode);
    const { origin, url } = await mcpServer(pageWith(script));
    const answer = await evaluate(script, `check(${JSON.stringify(url)}).then(JSON.stringify)`, origin);
    expect(JSON.parse(answer)).toEqual({ ...found, ...leaves, stdio: 'CONNECTION_FAILED' });
  });
});

const langchain = fetchedPackages('test/langchain/hosts/newest');

const worker = `${agent}
  export default {
    async fetch(request) {
      const origin = new URL(request.url).searchParams.get('origin');
      return new Response(origin === null ? '' : await act(origin).catch((error) => String(error.stack)));
    },
  };`;

describe.skipIf(packages === undefined || langchain === undefined)('The tools of LangChain', () => {
  /** Its packages name Node modules, which they load only in Node. */
  const ofLangchain = (contents: string, conditions: string[], format: 'esm' | 'iife') =>
    bundled({ stdin: { contents, resolveDir: langchain! }, external: ['node:*'] }, conditions, format);
  const adapted = expect.not.objectContaining({ anyOf: expect.anything() });

  test('The tools of LangChain are adapted, bound and called in workerd, with and without nodejs_compat', async () => {
    const { origin, schemas } = await modelAndTools(given);
    const script = await ofLangchain(worker, ofWorkerd, 'esm');
    for (const flags of [[], ['nodejs_compat']]) {
      const place = await startWorkerd(script, flags);
      expect(await (await fetch(`${place}/?origin=${encodeURIComponent(origin)}`)).text()).toBe('{"a":"said"}');
    }
    expect(schemas).toEqual([adapted, adapted]);
  });

  test.each(webPlaces)(
    'The tools of LangChain are adapted, bound and called in %s',
    async (_, conditions, evaluate) => {
      const script = await ofLangchain(`${agent} globalThis.act = act;`, conditions, 'iife');
      const { origin, schemas } = await modelAndTools(given, pageWith(script));
      expect(await evaluate(script, `act(${JSON.stringify(origin)})`, origin)).toBe('{"a":"said"}');
      expect(schemas).toEqual([adapted]);
    },
  );
});

/** A program in one file, bundled with its runtime's conditions. */
async function bundled(source: BuildOptions, conditions: string[], format: 'esm' | 'iife'): Promise<string> {
  const options = { bundle: true, write: false, platform: 'browser', conditions, format, logLevel: 'error' } as const;
  return (await build({ ...source, ...options })).outputFiles[0]!.text;
}

/**
 * Serves one worker;
 *
 * @returns its origin.
 */
async function startWorkerd(worker: string, flags: readonly string[]): Promise<string> {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, 'worker.js'), worker);
  const port = await freePort();
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ${JSON.stringify(flags)},
);
`,
  );
  const child = spawn(binary('@cloudflare/workerd-linux-64/bin/workerd'), ['serve', 'config.capnp'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  closeLater({ close: () => child.kill('SIGKILL') });
  const origin = `http://127.0.0.1:${port}`;
  const answers = () => fetch(`${origin}/`).then(Boolean, () => false);
  await expect.poll(answers).toBe(true);
  return origin;
}

/** A server with numbers that JavaScript cannot hold, which asks in the middle of a call. */
async function mcpServer(files: Record<string, string> = {}): Promise<HttpServer> {
  const waiting = new Map<unknown, (answer: unknown) => void>();
  const serverInfo = { name: 's', version: '1' };
  return given((exchange) => {
    const { verb, path, message, body, response, status } = exchange;
    const file = files[path];
    if (file !== undefined) {
      status(200, file, { 'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html' });
      return;
    }
    const json = (result: string) => {
      status(200, `{"jsonrpc":"2.0","id":${message.id},"result":${result}}`, { 'content-type': 'application/json' });
    };
    if (verb === 'POST' && 'result' in body) {
      waiting.get(body['id'])?.(body['result']);
      status(202);
    } else if (message.method === 'initialize')
      json(
        JSON.stringify({ protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true } }, serverInfo }),
      );
    else if (message.method === 'tools/list')
      json(`{"tools":[{"name":"echo","inputSchema":${schema}},{"name":"ask","inputSchema":{"type":"object"}}]}`);
    else if (message.method === 'vendor/count') json('{"count":9007199254740993}');
    else if (message.method === 'tools/call' && message.params?.['name'] === 'ask') {
      const send = exchange.stream();
      waiting.set('q', (answer) => {
        send({ id: message.id!, result: { content: [{ type: 'text', text: JSON.stringify(answer) }] } });
        response.end();
      });
      const requestedSchema = { type: 'object', properties: { sure: { type: 'boolean' } } };
      send({ id: 'q', method: 'elicitation/create', params: { message: 'Sure?', requestedSchema } });
    } else exchange.plain();
  });
}
