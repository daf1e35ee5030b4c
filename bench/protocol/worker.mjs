// One measurement in a process of its own: `worker.mjs <client> <workload> <address as JSON> <packages>`. Prints JSON.
import { setTimeout } from 'node:timers/promises';
import { clients } from './clients.mjs';

const [name, workload, addressText, packages] = process.argv.slice(2);
const address = JSON.parse(addressText);
const connect = await clients[name](packages);

const workloads = { session, listing, held, kept, large };
console.log(JSON.stringify(await workloads[workload]()));
process.exit(0);

/** Connect, list, 20 calls, close; the second time, when all code is loaded and what that left behind is collected. */
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

/** One long list: the time it takes, and by how much the memory of the process has grown at its highest. */
async function listing() {
  const client = await connect(address);
  const before = process.resourceUsage().maxRSS;
  const time = await timed(client.list);
  return { ...time, megabytes: (process.resourceUsage().maxRSS - before) / 1024 };
}

/** One long list: what the process holds of it while somebody keeps it, beside another one, when all code is loaded. */
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

/** A call with 20 MB of arguments: by how much the memory of the process has grown at its highest. */
async function large() {
  const client = await connect(address);
  await client.list();
  await client.call('sink', { text: 'a call' });
  const args = { text: 'x'.repeat(20e6) };
  // Whoever makes the arguments has them in one piece.
  args.text.indexOf('y');
  global.gc();
  const before = process.resourceUsage().maxRSS;
  const time = await timed(() => client.call('sink', args));
  return { ...time, megabytes: ((process.resourceUsage().maxRSS - before) * 1024) / 1e6 };
}

/**
 * What a session holds while nobody uses it, its tool list included: the memory in use with a hundred more than with one,
 * once two hundred have come and gone, so that what V8 compiles and learns meanwhile does not count.
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

/** After what is done with has let go of its buffers, which takes some turns. */
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
