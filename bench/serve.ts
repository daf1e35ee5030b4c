/**
 * The cost that `mcp-verbatim serve` adds to a call: `npx tsx bench/serve.ts [calls]`, after a build. The same server is called
 * directly and through serve, over stdio and over HTTP, in turns; printed are the middle of each, the difference, and how
 * many of 1,000 calls at once are answered.
 *
 * `npx tsx bench/serve.ts soak [minutes]` has clients come, stall and go for 15 minutes, and prints what the process
 * takes. It ends with 1 if a call fails, or if memory or handles grow after the first five minutes (in a shorter
 * run: after the first third).
 *
 * `npx tsx bench/serve.ts busy` has one client send the largest messages, and prints how long the pings of another one
 * waited for their answers meanwhile.
 *
 * `npx tsx bench/serve.ts clients [number]` has clients of three SDKs and of the bare protocol call, be asked, hear logs
 * and take calls back at the same time, 600 in all. It ends with 1 if one receives what belongs to another.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const server = [process.execPath, fileURLToPath(new URL('../test/serve/echoing.mjs', import.meta.url))];
const cli = fileURLToPath(new URL('../packages/mcp-verbatim/dist/esm/cli.js', import.meta.url));
const serve = [process.execPath, cli, 'serve'];
const clientInfo = { name: 'bench', version: '1' };
const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const sampleMs = 15_000;

interface Way {
  call: (args: object) => Promise<boolean>;
  end: () => void;
}

async function compare(calls: number): Promise<void> {
  const ways: Record<string, Way> = {
    directly: await overStdio(server),
    'over stdio': await overStdio([...serve, '--', ...server]),
    'over HTTP': await overHttp(),
  };
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, [] as number[]]));
  for (let i = 0; i < calls; i++)
    for (const [name, way] of Object.entries(ways)) {
      const began = performance.now();
      await way.call({ n: i, text: 'as it is', '9': String(i) });
      times[name]!.push(performance.now() - began);
    }
  let direct = 0;
  for (const [name, all] of Object.entries(times)) {
    const sorted = all.slice(Math.min(200, all.length / 2)).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? NaN;
    direct ||= at(0.5);
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => ways[name]!.call({ n })));
    const numbers = `median ${at(0.5).toFixed(3)} ms, 95 % within ${at(0.95).toFixed(3)} ms`;
    const added = `${(at(0.5) - direct).toFixed(3)} ms more than directly`;
    console.log(`${name.padEnd(10)} ${numbers}, ${added}; ${answers.filter(Boolean).length} of 1000 at once`);
  }
  for (const way of Object.values(ways)) way.end();
}

async function overStdio([command = '', ...args]: string[]): Promise<Way> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (isAnswered: boolean) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line) as { id: number; result?: object };
    waiting.get(id)?.(result !== undefined);
  });
  let nextId = 0;
  const ask = (method: string, params: object) =>
    new Promise<boolean>((resolve) => {
      const id = nextId++;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await ask('initialize', initialize);
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await ask('tools/list', {});
  return {
    call: (args) => ask('tools/call', { name: 'echo', arguments: args }),
    end: () => child.stdin.end(),
  };
}

async function listening(options: string[] = [], behind = server): Promise<{ child: ChildProcess; url: string }> {
  const [command = '', ...args] = [...serve, '--port', '0', ...options, '--', ...behind];
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [found] = /http:\S+/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  return { child, url };
}

function post(url: string, message: object, headers: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return fetch(url, { method: 'POST', headers: { ...types, ...headers }, body });
}

async function begun(url: string): Promise<Record<string, string>> {
  const response = await post(url, { id: 0, method: 'initialize', params: initialize });
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

async function overHttp(): Promise<Way> {
  const { child, url } = await listening();
  const session = await begun(url);
  let nextId = 1;
  return {
    async call(args) {
      const params = { name: 'echo', arguments: args };
      const response = await post(url, { id: nextId++, method: 'tools/call', params }, session);
      return (await response.text()).includes('"result":');
    },
    end: () => child.kill(),
  };
}

/** Clients that call and say goodbye, that vanish, that stall in the middle of an answer, and that have no session. */
async function soak(minutes: number): Promise<void> {
  const { child, url } = await listening(['--max-sessions', '20', '--idle', '15']);
  const until = Date.now() + minutes * 60_000;
  const samples: { rss: number; handles: number }[] = [];
  let calls = 0;
  let failures = 0;
  const failed = (reason: string) => {
    if (failures++ < 5) console.log(`failed: ${reason.slice(0, 200)}`);
  };
  const call = async (headers: Record<string, string>, more: object = {}, text = 'x'.repeat(10_000)) => {
    const params = { name: 'echo', arguments: { text }, ...more };
    const response = await post(url, { id: ++calls, method: 'tools/call', params }, headers);
    const answer = await response.text();
    if (!answer.includes('"result":')) failed(`${response.status} ${answer}`);
  };
  const client = async (kind: number) => {
    if (kind === 0) return statelessly(call);
    const session = await begun(url);
    if (session['mcp-session-id'] === '') {
      failed('no session was given');
      return;
    }
    for (let n = 0; n < 10; n++) await call(session);
    if (kind === 1) await fetch(url, { method: 'DELETE', headers: session });
    if (kind === 2) stalled(url, session);
  };
  const worker = async (first: number) => {
    for (let n = first; Date.now() < until; n++) {
      await client(n % 4).catch((error: unknown) => {
        failed(String(error));
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const timer = setInterval(() => {
    const sample = { rss: residentOf(child.pid ?? 0), handles: handlesOf(child.pid ?? 0) };
    samples.push(sample);
    const took = ((samples.length * sampleMs) / 60_000).toFixed(1);
    console.log(
      `${took} min: ${sample.rss.toFixed(0)} MB, ${sample.handles} handles, ${calls} calls, ${failures} failed`,
    );
  }, sampleMs);
  await Promise.all([0, 1, 2, 3].map(worker));
  clearInterval(timer);
  child.kill();
  const warmUpMs = Math.min(5, minutes / 3) * 60_000;
  const later = samples.slice(Math.ceil(warmUpMs / sampleMs));
  const middle = (part: typeof samples, name: 'rss' | 'handles') =>
    part.map((sample) => sample[name]).sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? NaN;
  const half = Math.floor(later.length / 2);
  for (const name of ['rss', 'handles'] as const) {
    const [before, after] = [middle(later.slice(0, half), name), middle(later.slice(half), name)];
    const isFlat = after <= before * 1.1 + 2;
    const halves = `${before.toFixed(0)} in the first half after the start, ${after.toFixed(0)} in the second`;
    console.log(`${name}: ${halves}: ${isFlat ? 'flat' : 'GROWS'}`);
    if (!isFlat) process.exitCode = 1;
  }
  console.log(`${failures} of ${calls} calls failed`);
  if (failures > 0) process.exitCode = 1;
  process.exit();
}

const many = <Value>(count: number, make: (at: number) => Value) => Array.from({ length: count }, (_, at) => make(at));

/** A tool with one argument for each of these, and the value that is sent. */
const largest: Record<string, [schema: object, value: unknown]> = {
  'an object of 3 MB in a text': [
    { type: 'object', additionalProperties: { type: 'string' } },
    JSON.stringify(Object.fromEntries(many(120_000, (at) => [`name ${at}`, `value ${at}`]))),
  ],
  'a list of 3 MB in a text': [
    { type: 'array', items: { type: 'integer' } },
    JSON.stringify(many(400_000, (at) => at)),
  ],
  '14,000 integers as texts': [{ type: 'array', items: { type: 'integer' } }, many(14_000, String)],
  '14,000 texts for one of 30 integers': [
    { type: 'array', items: { anyOf: many(30, (minimum) => ({ type: 'integer', minimum })) } },
    many(14_000, (at) => `x${at}`),
  ],
  '2,000 objects for one of 30': [
    { type: 'array', items: { anyOf: many(30, (at) => ({ type: 'object', properties: { kind: { const: at } } })) } },
    many(2000, (at) => ({ kind: `x${at}` })),
  ],
  '14,000 different items': [{ type: 'array', uniqueItems: true }, many(14_000, (at) => [at])],
  'a text of 7 MB': [{ type: 'string', pattern: '^[a-z ]*$' }, 'word '.repeat(1_400_000)],
};

/** A server with these tools, which answers every call at once. */
const accepting = `
  const tools = ${JSON.stringify(
    Object.values(largest).map(([schema], at) => ({
      name: `t${at}`,
      inputSchema: { type: 'object', properties: { value: schema } },
    })),
  )};
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const results = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
      'tools/list': { tools },
    };
    const result = results[method] ?? { content: [] };
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  });`;

async function busy(): Promise<void> {
  const { child, url } = await listening([], [process.execPath, '-e', accepting]);
  const [sender, other] = [await begun(url), await begun(url)];
  for (const [at, [name, [, value]]] of Object.entries(largest).entries()) {
    const waits: number[] = [];
    const params = { name: `t${at}`, arguments: { value } };
    for (let round = 0; round < 5; round++) {
      const done = new AbortController();
      const answer = post(url, { id: round, method: 'tools/call', params }, sender)
        .then((response) => response.text())
        .finally(() => done.abort());
      while (!done.signal.aborted) {
        const began = performance.now();
        await (await post(url, { id: 'ping', method: 'ping' }, other)).text();
        waits.push(performance.now() - began);
      }
      await answer;
    }
    console.log(`${name}: the longest of ${waits.length} pings took ${Math.max(...waits).toFixed(0)} ms`);
  }
  child.kill();
  process.exit();
}

async function isolated(count: number): Promise<void> {
  const { asking, haveNothingOfOthers } = await import('./serve/clients.js');
  const { child, url } = await listening([], [process.execPath, asking]);
  const areApart = await haveNothingOfOthers(url, count);
  console.log(`serve takes ${residentOf(child.pid ?? 0).toFixed(0)} MB`);
  child.kill();
  process.exit(areApart ? 0 : 1);
}

async function statelessly(call: (headers: Record<string, string>, more: object) => Promise<void>): Promise<void> {
  const key = (name: string) => `io.modelcontextprotocol/${name}`;
  const revision = '2026-07-28';
  const headers = { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': 'echo' };
  const _meta = {
    [key('protocolVersion')]: revision,
    [key('clientInfo')]: clientInfo,
    [key('clientCapabilities')]: {},
  };
  for (let n = 0; n < 10; n++) await call(headers, { _meta });
}

/** Requests something long, and never reads it. */
function stalled(url: string, session: Record<string, string>): void {
  const sent = request(url, { method: 'POST', headers: { ...types, ...session } });
  sent.on('response', (response) => response.pause());
  sent.on('error', () => {});
  const params = { name: 'echo', arguments: { text: 'x'.repeat(4e6) } };
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 'stalled', method: 'tools/call', params }));
  setTimeout(() => sent.destroy(), 60_000).unref();
}

/** Megabytes. Linux says both of every process. */
function residentOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function handlesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

const [, , mode = '2000', amount] = process.argv;
if (mode === 'soak') void soak(Number(amount ?? 15));
else if (mode === 'busy') void busy();
else if (mode === 'clients') void isolated(Number(amount ?? 600));
else void compare(Number(mode));
