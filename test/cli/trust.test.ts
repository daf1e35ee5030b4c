import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { cli } from './run.js';

/** A configuration in a folder may have come with a repository. Its server leaves a file when it is started. */
let folder: string;
let home: string;
const ran = () => existsSync(join(folder, 'ran'));

function write(name = '.mcp.json', more: Record<string, unknown> = {}): void {
  const leavesMark = ['-e', `require('fs').writeFileSync(${JSON.stringify(join(folder, 'ran'))}, '')`];
  const evil = { command: process.execPath, args: leavesMark, cwd: folder, ...more };
  writeFileSync(join(folder, name), JSON.stringify({ mcpServers: { evil } }));
}

const list = (about: Parameters<typeof cli>[1] = {}, ...more: string[]) =>
  cli(['list', '--idle-timeout', '20', ...more], { cwd: folder, env: { HOME: home }, ...about });

beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  home = join(folder, 'home');
  mkdirSync(home);
});

describe('a configuration that lies in the folder', () => {
  test('A configuration in the folder starts nothing if nobody can be asked, and the error says how to use it', async () => {
    write();
    const { code, stderr } = await list();
    expect({ code, ran: ran() }).toEqual({ code: 2, ran: false });
    expect(stderr).toContain('--config .mcp.json');
  });

  test('A configuration in the folder reads no environment variable if nobody can be asked', async () => {
    write('.mcp.json', { command: undefined, url: 'http://127.0.0.1:1/${AWS_SECRET}' });
    const { code, stderr } = await list({ env: { HOME: home, AWS_SECRET: 's3cr3t' } });
    expect(code).toBe(2);
    expect(stderr).not.toContain('s3cr3t');
  });

  test('A configuration in the folder is shown with its commands and variables before a person is asked', async () => {
    const secrets = { API_KEY: 'literal-s3cr3t', ACME_KEY: 's3cr3t', PGPASSWORD: 's3cr3t' };
    const env = {
      NODE_OPTIONS: '--require ./evil.js',
      HOST: '${DATABASE_HOST}',
      REGION: '${input:region}',
      ...secrets,
    };
    write('.mcp.json', { env, args: ['-e', 'evil \u001b[2J'] });
    const { stderr } = await list({ answer: 'n' });
    const read = 'reads the environment variables DATABASE_HOST\n';
    for (const shown of ['.mcp.json', process.execPath, `in the folder ${folder}\n`, '="--require ./evil.js"', read])
      expect(stderr).toContain(shown);
    expect(stderr).not.toContain('s3cr3t');
    expect(stderr).not.toContain('\u001b[2J');
  });

  test('A configuration in the folder is shown without the tokens in its arguments, but with everything that could run', async () => {
    const args = ['--token=def-s3cr3t', '--header', 'Authorization: Bearer ghi-s3cr3t', '-e', 'API_TOKEN=s3cr3t'];
    const runs = ['postgres://me:s3cr3t-x@db/', '-c', "TOKEN='x'; run $(evil) --key 'a; b'", '--token=$(evil)'];
    const inShells = ['|', '>', '<', '&', '`', '{', '}'].map((sign) => `--token=ab${sign}cd`);
    const paths = ['--token=~/evil', '--token=../evil', 'token://host/evil', '-e', 'API_TOKEN=./evil'];
    write('.mcp.json', { args: [...args, ...runs, ...inShells, ...paths] });
    const { stderr } = await list({ answer: 'n' });
    expect(stderr).not.toContain('s3cr3t');
    const hidden = ['--token=[hidden]', 'Authorization: Bearer [hidden]', 'postgres://me:[hidden]@db'];
    for (const shown of [...hidden, ...runs.slice(2), ...inShells, ...paths]) expect(stderr).toContain(shown);
  });

  test.each([
    [{ command: 'node', args: ['server-a1b2c3d4e5f6a7b8c9.js'] }, 'node server-a1b2c3d4e5f6a7b8c9.js'],
    [{ command: 'npx', args: ['-y', '--password', 'evil-pkg'] }, 'npx -y --password evil-pkg'],
    [{ command: 'npx', args: ['https://h/a1b2c3d4e5f6a7b8c9/x.tgz'] }, 'npx https://h/a1b2c3d4e5f6a7b8c9/x.tgz'],
    [{ command: 'sh', args: ['-c', 'API_KEY=1 ./evil.sh'] }, 'sh -c "API_KEY=1 ./evil.sh"'],
    [{ command: 'sh', args: ['-c', 'token:\t./evil.sh'] }, './evil.sh'],
    [{ command: 'sh', args: ['-c', 'token=reboot;reboot'] }, 'token=reboot;reboot'],
    [{ command: 'sh', args: ['-c', './ev\\il-x #token=evil-x'] }, './ev\\\\il-x #token='],
    [{ command: 'sh', args: ['-c', 'token=cmVib290;echo $token|base64 -d|sh'] }, 'token=cmVib290;echo $token|'],
    [{ command: 'run', args: ['-H', 'x: ./evil -rf'] }, './evil -rf'],
    [{ command: 'git', args: ['--auth-command=./evil.sh'] }, '--auth-command=./evil.sh'],
    [{ command: 'git', env: { AUTH_COMMAND: '/opt/evil.sh' } }, 'AUTH_COMMAND=/opt/evil.sh'],
    [{ command: 'bash', env: { BASH_ENV: `sk-${'a'.repeat(24)}` } }, `BASH_ENV=sk-${'a'.repeat(24)}`],
    [{ command: undefined, url: 'https://good.example\n.evil.com/x' }, 'connects to https://good.example.evil.com/x'],
    [{ command: undefined, serverUrl: 'https://evil.example/x' }, 'connects to https://evil.example/x'],
    [{ command: undefined, url: 'https://good.example\\@evil.com/x' }, 'connects to https://good.example/@evil.com/x'],
  ])(
    'A configuration in the folder is shown with its program and its address, whatever they look like: %j',
    async (entry, said) => {
      write('.mcp.json', entry);
      expect((await list({ answer: 'n' })).stderr).toContain(said);
    },
  );

  test.each(['n', '', 'yes please'])(
    'A configuration in the folder starts nothing when the answer is "%s"',
    async (answer) => {
      write();
      expect((await list({ answer })).code).toBe(2);
      expect(ran()).toBe(false);
    },
  );

  test.each(['y', 'Yes '])(
    'A configuration in the folder is used when the answer is "%s", and not asked about again',
    async (answer) => {
      write();
      await list({ answer });
      expect(ran()).toBe(true);
      rmSync(join(folder, 'ran'));
      const { stderr } = await list();
      expect(ran()).toBe(true);
      expect(stderr).toContain('.mcp.json');
    },
  );

  test('A configuration in the folder is asked about again once its content has changed', async () => {
    write();
    await list({ answer: 'y' });
    write('.mcp.json', { env: { NEW: '1' } });
    expect((await list()).code).toBe(2);
  });

  test('A configuration in the folder is asked about again once its file of variables has changed, since variables can run code', async () => {
    write('.mcp.json', { envFile: 'own.env' });
    writeFileSync(join(folder, 'own.env'), 'A=1');
    expect((await list({ answer: 'y' })).stderr).toContain('reads the file own.env\n');
    expect((await list()).code).not.toBe(2);
    writeFileSync(join(folder, 'own.env'), 'NODE_OPTIONS=--require=./other.js');
    expect((await list()).code).toBe(2);
  });

  test('A configuration is not trusted because the same content is trusted elsewhere: its commands are relative to the folder', async () => {
    write('mcp.json', { cwd: undefined });
    await list({ answer: 'y' });
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    execFileSync('cp', [join(folder, 'mcp.json'), elsewhere]);
    expect((await list({ cwd: elsewhere })).code).toBe(2);
  });

  test('A trusted configuration is remembered for its user alone, in the folder of settings', async () => {
    write();
    const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'settings') };
    await list({ answer: 'y', env });
    const state = join(home, 'settings', 'mcp-verbatim', 'trusted.json');
    expect(statSync(state).mode & 0o77).toBe(0);
    writeFileSync(state, 'no longer JSON');
    expect((await list({ env })).code).toBe(2);
  });

  test('A trusted configuration can be used even if it cannot be remembered for lack of a folder', async () => {
    write();
    await list({ answer: 'y', env: {} });
    expect(ran()).toBe(true);
    expect((await list({ env: {} })).code).toBe(2);
  });

  test('A configuration in the folder is ignored if it is not a file, and refused if it is too large', async () => {
    execFileSync('mkfifo', [join(folder, 'mcp.json')]);
    expect((await list()).stderr).toContain('Which server?');
    rmSync(join(folder, 'mcp.json'));
    writeFileSync(join(folder, 'mcp.json'), `{"mcpServers": {}}${' '.repeat(4 * 1024 * 1024)}`);
    expect((await list({ answer: 'y' })).stderr).toContain('larger than 4 MB');
  });
});

test('A configuration that the command line names is used without a question, and its name is shown', async () => {
  write('named.json');
  const { stderr } = await list({}, '--config', 'named.json');
  expect(ran()).toBe(true);
  expect(stderr).toContain(join(folder, 'named.json'));
});
