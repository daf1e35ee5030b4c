import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { isRunning } from '../../test-support/servers/process-state.js';
import { asked, echoing as server, greeted, handshake, inFront, scripted } from './in-front.js';

const [echoing = ''] = server.args;
const cli = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

describe('when the server dies', () => {
  test('the call hears that, and the next one has a server again', async () => {
    await using gateway = greeted(server);
    const died = JSON.parse(await asked(gateway, 'tools/call', { name: 'die' })) as {
      error: { code: number; message: string };
    };
    expect(died.error.code).toBe(-32603);
    expect(died.error.message).toContain('ended with exit code 3');
    expect(died.error.message).toContain('Whether the server has carried out the request is unknown');
    expect(JSON.parse(await asked(gateway, 'tools/call', { name: 'echo' }))).toHaveProperty('result');
  });

  test('of several, it is started again for a resource that no list has', async () => {
    /** Answers for one address, and ends with the tool `die`. */
    const withResource = (uri: string) =>
      scripted(
        `'tools/list': { tools: [{ name: 'die', inputSchema: { type: 'object' } }] },
        'resources/read': params?.uri === '${uri}' && { contents: [{ uri: '${uri}', text: 'here' }] },`,
        `if (method === 'tools/call') process.exit(3);`,
        'tools: {}, resources: {}',
      );
    await using gateway = greeted({ one: withResource('a:/1'), other: withResource('b:/1') });
    await gateway.line(({ id }) => id === 'i');
    await asked(gateway, 'tools/call', { name: 'other_die' });
    expect(await asked(gateway, 'resources/read', { uri: 'b:/1' })).toContain('"text":"here"');
  });

  test('a resource is refused where none of several can be started, and the others of the process go on', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const gone = { transport: 'stdio' as const, command: '/nowhere' };
    await using gateway = greeted({ one: gone, other: gone });
    expect(await asked(gateway, 'resources/read', { uri: 'a:/1' })).toContain(
      'The command \\"/nowhere\\" was not found.',
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('a server that cannot be started is named in answer to the handshake', async () => {
    await using gateway = inFront({ transport: 'stdio', command: '/nowhere/at-all' });
    gateway.write(handshake[0]!);
    const refused = JSON.parse(await gateway.line(({ id }) => id === 'i')) as { error: { message: string } };
    expect(refused.error.message).toContain('"/nowhere/at-all" was not found');
  });
});

describe('when the client goes', () => {
  test('serving is over, and what was asked for before is answered', async () => {
    await using gateway = greeted(server);
    const answer = asked(gateway, 'tools/call', { name: 'echo' });
    gateway.hangUp();
    await gateway.over;
    expect(gateway.lines).toContain(await answer);
  });

  // SIGKILL leaves no time for anything; that stdin ends is all that is left.
  test.each(['SIGTERM', 'SIGKILL', 'end'] as const)('no process is left behind (%s)', async (how) => {
    const pidFile = join(mkdtempSync(join(tmpdir(), 'serve-')), 'pid');
    const start = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); import(${JSON.stringify(echoing)})`;
    // The client, which starts the gateway; the gateway's own pid is what it prints.
    const client = `const c = require('child_process').spawn(process.execPath, ${JSON.stringify(['--import', 'tsx', cli, 'serve', '--', process.execPath, '-e', start])}, { stdio: ['pipe', 'pipe', 'ignore'], cwd: ${JSON.stringify(process.cwd())} });
      console.log(c.pid); c.stdout.pipe(process.stdout); process.stdin.pipe(c.stdin);`;
    const child = spawn(process.execPath, ['-e', client], { stdio: ['pipe', 'pipe', 'ignore'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const gatewayPid = Number((await lines.next()).value);
    child.stdin.write(`${handshake[0]}\n`);
    expect((await lines.next()).value).toContain('echoing');
    const serverPid = Number(readFileSync(pidFile, 'utf8'));
    if (how === 'end') child.stdin.end();
    else child.kill(how);
    await expect.poll(() => isRunning(gatewayPid)).toBe(false);
    await expect.poll(() => isRunning(serverPid)).toBe(false);
    child.kill();
  });
});

describe('when serve itself is killed', () => {
  test.skipIf(process.platform === 'win32')('a server that ignores the end of its input goes, too', async () => {
    const pidFile = join(mkdtempSync(join(tmpdir(), 'serve-')), 'pid');
    const deaf = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
      process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); import(${JSON.stringify(echoing)})`;
    const args = ['--import', 'tsx', cli, 'serve', '--', process.execPath, '-e', deaf];
    const gateway = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const lines = createInterface({ input: gateway.stdout })[Symbol.asyncIterator]();
    gateway.stdin.write(`${handshake[0]}\n`);
    expect((await lines.next()).value).toContain('echoing');
    const serverPid = Number(readFileSync(pidFile, 'utf8'));
    expect(isRunning(serverPid)).toBe(true);
    gateway.kill('SIGKILL');
    await expect.poll(() => isRunning(serverPid), { timeout: 5000 }).toBe(false);
  });
});
