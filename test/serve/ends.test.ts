import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { isRunning } from '../../test-support/servers/process-state.js';
import { bin } from '../cli/built.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { answered, asked, called, echoing as server, greeted, handshake, inFront, scripted } from './in-front.js';

const [echoing = ''] = server.args;
const folder = temporaryFolder();
const gone = { transport: 'stdio' as const, command: '/nowhere' };

describe('when the server dies', () => {
  test('A call fails if its server dies, and the next one gets a new server', async () => {
    await using gateway = greeted(server);
    const { error } = await answered(gateway, 'tools/call', { name: 'die' });
    expect(error?.code).toBe(-32603);
    expect(error?.message).toContain('ended with exit code 3');
    expect(error?.message).toContain('Whether the server has carried out the request is unknown');
    expect(await called(gateway, 'echo')).toContain('"result"');
  });

  test('One of several servers that died is started again for a resource that no list has', async () => {
    /** Reads one address, and ends at any call. */
    const withResource = (uri: string) =>
      scripted(
        `'tools/list': { tools: [{ name: 'die', inputSchema: { type: 'object' } }] },
        'resources/read': params?.uri === '${uri}' && { contents: [{ uri: '${uri}', text: 'here' }] },`,
        `if (method === 'tools/call') process.exit(3);`,
        'tools: {}, resources: {}',
      );
    await using gateway = greeted({ one: withResource('a:/1'), other: withResource('b:/1') });
    await gateway.line(({ id }) => id === 'i');
    await called(gateway, 'other_die');
    expect(await asked(gateway, 'resources/read', { uri: 'b:/1' })).toContain('"text":"here"');
  });

  test('A resource is refused if none of several servers can be started', async () => {
    await using gateway = greeted({ one: gone, other: gone });
    const refused = await asked(gateway, 'resources/read', { uri: 'a:/1' });
    expect(refused).toContain('The command \\"/nowhere\\" was not found.');
  });

  test('The answer to the handshake names a server that cannot be started', async () => {
    await using gateway = inFront(gone);
    gateway.write(handshake[0]!);
    const { error } = await gateway.message(({ id }) => id === 'i');
    expect(error?.message).toContain('"/nowhere" was not found');
  });
});

describe('when the client goes', () => {
  test('When the client leaves, serve answers its earlier requests and ends', async () => {
    await using gateway = greeted(server);
    const answer = called(gateway, 'echo');
    gateway.hangUp();
    await gateway.over;
    expect(gateway.lines).toContain(await answer);
  });

  // SIGKILL leaves no time for anything, so only stdin ends. A deaf server ignores even that.
  test.each([
    ['client', 'SIGTERM', ''],
    ['client', 'SIGKILL', ''],
    ['client', 'end', ''],
    ['gateway', 'SIGKILL', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);"],
  ] as const)('No process is left behind when the client leaves (%s, %s)', async (whose, how, deaf) => {
    const pidFile = join(folder, `${whose}-${how}`);
    const program = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); ${deaf} import(${JSON.stringify(echoing)})`;
    const serve = [bin, 'serve', '--', process.execPath, '-e', program];
    // The client starts the gateway, and prints the gateway's pid.
    const client = `const c = require('child_process').spawn(process.execPath, ${JSON.stringify(serve)}, { stdio: ['pipe', 'pipe', 'ignore'], cwd: ${JSON.stringify(process.cwd())} });
      console.log(c.pid); c.stdout.pipe(process.stdout); process.stdin.pipe(c.stdin);`;
    const child = spawn(process.execPath, ['-e', client], { stdio: ['pipe', 'pipe', 'ignore'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const gatewayPid = Number((await lines.next()).value);
    child.stdin.write(`${handshake[0]}\n`);
    expect((await lines.next()).value).toContain('echoing');
    const serverPid = Number(readFileSync(pidFile, 'utf8'));
    expect(isRunning(serverPid)).toBe(true);
    if (how === 'end') child.stdin.end();
    else process.kill(whose === 'client' ? child.pid! : gatewayPid, how);
    for (const pid of [gatewayPid, serverPid]) await expect.poll(() => isRunning(pid)).toBe(false);
    child.kill();
  });
});
