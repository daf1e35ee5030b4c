import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { personAt } from '../../src/cli/terminal/person.js';
import { until } from '../../test-support/waiting.js';

vi.mock('node:child_process', () => ({ spawn: vi.fn() }));
/** Any input is a terminal here. */
vi.mock('node:tty', () => ({ ReadStream: PassThrough }));

function terminal() {
  const written: unknown[] = [];
  const setRawMode = (isRaw: boolean) => void written.push(isRaw);
  const stdin = Object.assign(new PassThrough(), { setRawMode });
  const interruption = new AbortController();
  const person = personAt(stdin, { write: (text: string) => written.push(text) }, interruption.signal);
  return { stdin, person, interruption, written, isShown: (text: string) => until(() => written.includes(text)) };
}

test('Text that was typed before a question can answer it, but does not count as consent', async () => {
  const { stdin, person, isShown } = terminal();
  stdin.write('Ada\nadmin\ny\ny\n');
  expect(await person.ask('Name > ')).toBe('Ada');
  expect(await person.ask('Role > ')).toBe('admin');
  const consent = person.ask('Send it? [y/N] ');
  await isShown('Send it? [y/N] ');
  stdin.write('n\nlate\n');
  expect(await consent).toBe('n');
  expect(await person.ask('Why > ')).toBe('late');
});

test('Text that was typed before the question does not count as consent, however busy this process was', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { stdin, person, isShown } = terminal();
  stdin.write('y\n');
  const consent = person.ask('Use these servers? [y/N] ');
  // The moment has passed, but this process has read nothing yet.
  vi.advanceTimersByTime(50);
  await isShown('Use these servers? [y/N] ');
  stdin.write('no\n');
  expect(await consent).toBe('no');
});

test('A question has no answer if the input ends, before or after it', async () => {
  const { stdin, person } = terminal();
  const first = person.ask('Name > ');
  stdin.end();
  expect([await first, await person.ask('Role > ')]).toEqual(['', '']);
});

test('A question is given up for its signal or an interruption, and the next line answers the next question', async () => {
  const { stdin, person, interruption } = terminal();
  const one = new AbortController();
  const asked = person.ask('Name > ', one.signal);
  one.abort();
  await expect(asked).rejects.toThrow('Nobody waits for an answer any more.');
  stdin.write('Ada\n');
  const other = new AbortController();
  expect(await person.ask('Role > ', other.signal)).toBe('Ada');
  const last = person.ask('Why > ', other.signal);
  interruption.abort();
  await expect(last).rejects.toThrow('Nobody waits for an answer any more.');
});

test('A hidden line is typed in raw mode, edited by backspaces and Ctrl-U, and interrupted by Ctrl-C', async () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  onTestFinished(() => kill.mockRestore());
  const { stdin, person, written } = terminal();
  const answer = person.ask('Key: ', undefined, true);
  const listeners = stdin.listenerCount('data');
  stdin.write('wrong\x15hush\x7f\bx\x7fsh\x03\n');
  expect(await answer).toBe('hush\x03');
  expect(written).toEqual([true, 'Key: ', false, '\n']);
  expect(stdin.listenerCount('data')).toBe(listeners - 1);
  expect(kill.mock.calls).toEqual([[process.pid, 'SIGINT']]);
  stdin.write('a\x7fb\n');
  expect(await person.ask('Name > ')).toBe('a\x7fb');
  person.close();
  expect(stdin.listenerCount('data')).toBe(0);
});

test.each<[NodeJS.Platform, string, string[]]>([
  ['linux', 'xdg-open', []],
  ['darwin', 'open', []],
  ['win32', 'rundll32', ['url.dll,FileProtocolHandler']],
])('A page is opened on %s by %s, without a shell, which outlives this process', async (platform, command, words) => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
  onTestFinished(() => void vi.restoreAllMocks());
  for (const isStarted of [true, false]) {
    const browser = Object.assign(new EventEmitter(), { unref: vi.fn<() => void>() });
    vi.mocked(spawn).mockReturnValueOnce(browser as never); // it uses no more of it
    const opened = terminal().person.open('https://a.example/x y?b=$(c)');
    browser.emit(isStarted ? 'spawn' : 'error', new Error('ENOENT'));
    expect([await opened, browser.unref.mock.calls.length]).toEqual([isStarted, 1]);
    const args = [...words, 'https://a.example/x%20y?b=$(c)'];
    expect(spawn).toHaveBeenLastCalledWith(command, args, { stdio: 'ignore', detached: true });
  }
});
