import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { personAt } from '../../src/cli/terminal/person.js';
import { until } from '../../test-support/waiting.js';

function terminal() {
  const stdin = new PassThrough();
  let shown = '';
  const stderr = { write: (text: string) => (shown += text) };
  return {
    stdin,
    person: personAt(stdin, stderr, new AbortController().signal),
    isShown: (text: string) => until(() => shown.includes(text)),
  };
}

test('Text that was typed before a question can answer it, but does not count as consent', async () => {
  const { stdin, person, isShown } = terminal();
  stdin.write('Ada\nadmin\ny\ny\n');
  expect(await person.ask('Name > ')).toBe('Ada');
  expect(await person.ask('Role > ')).toBe('admin');
  const consent = person.ask('Send it? [y/N] ');
  await isShown('Send it?');
  stdin.write('n\n');
  expect(await consent).toBe('n');
});

test('Text that was typed before the question does not count as consent, however busy this process was', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { stdin, person, isShown } = terminal();
  stdin.write('y\n');
  const consent = person.ask('Use these servers? [y/N] ');
  // The moment has passed, but this process has read nothing yet.
  vi.advanceTimersByTime(50);
  await isShown('Use these servers?');
  stdin.write('no\n');
  expect(await consent).toBe('no');
});

test('A question has no answer if the input ends', async () => {
  const { stdin, person, isShown } = terminal();
  const consent = person.ask('Send it? [y/N] ');
  await isShown('Send it?');
  stdin.end();
  expect(await consent).toBe('');
});
