// One measurement in a process of its own: `worker.mjs <client> <workload> <address as JSON> <packages>`. Prints JSON.
import { setTimeout } from 'node:timers/promises';
import { clients } from './clients.mjs';

const [name, workload, addressText, packages] = process.argv.slice(2);
const address = JSON.parse(addressText);
const connect = await clients[name](packages);

const workloads = { session, listing, held, kept, large };
console.log(JSON.stringify(await workloads[workload]()));
process.exit(0);

/** Connect, list, 20 calls, close; the second time, after all code is loaded and its garbage collected. */
async function session() {
  await oneSession();
  global.gc();
  return timed(oneSession);
}

async function oneSession() {
  const client = await connect(address);
  await client.list();
  for (let n = 0; n < 20; n++) await client.call('echo', { text: `call ${n}` });
  await client.close();
}

/** One long list: its time, and the growth of the process's memory at its peak. */
async function listing() {
  const client = await connect(address);
  const before = process.resourceUsage().maxRSS;
  const time = await timed(client.list);
  return { ...time, megabytes: (process.resourceUsage().maxRSS - before) / 1024 };
}

/** One long list: the memory that a process holds for it beside another one, after all code is loaded. */
async function held() {
  const kept = [];
  for (const _turn of [1, 2]) {
    const client = await connect(address);
    kept.push({ client, before: await inUse(), tools: await client.list() });
  }
  const megabytes = ((await inUse()) - kept[1].before) / 1e6;
  for (const { client } of kept) await client.close();
  return { ms: 0, cpuMs: 0, megabytes };
}

/** A call with 20 MB of arguments: the growth of the process's memory at its peak. */
async function large() {
  const client = await connect(address);
  await client.list();
  await client.call('sink', { text: 'a call' });
  const args = { text: 'x'.repeat(20e6) };
  // A caller has the arguments in one piece.
  args.text.indexOf('y');
  global.gc();
  const before = process.resourceUsage().maxRSS;
  const time = await timed(() => client.call('sink', args));
  return { ...time, megabytes: ((process.resourceUsage().maxRSS - before) * 1024) / 1e6 };
}

/**
 * The memory of an unused session, its tool list included: the difference between a hundred sessions and one, after two
 * hundred have come and gone, so that code that V8 compiles meanwhile does not count.
 */
async function kept() {
  for (let n = 0; n < 200; n++) await (await used()).close();
  const sessions = [await used()];
  const before = await inUse();
  while (sessions.length <= 100) sessions.push(await used());
  const megabytes = ((await inUse()) - before) / 100 / 1e6;
  for (const session of sessions) await session.close();
  return { ms: 0, cpuMs: 0, megabytes };
}

async function used() {
  const client = await connect(address);
  await client.list();
  await client.call('echo', { text: 'a call' });
  return client;
}

/** After released buffers are freed, which takes some turns. */
async function inUse() {
  for (let turn = 0; turn < 5; turn++) {
    await setTimeout(20);
    global.gc();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function timed(work) {
  const start = performance.now();
  const startCpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(startCpu);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1000 };
}
