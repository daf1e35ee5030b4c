import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Program } from '../../test-support/servers/program.js';
import { startEverything } from '../../test-support/servers/published.js';
import { stripVTControlCharacters as withoutColours } from 'node:util';
import { cli } from './run.js';

let everything: Program;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

const ran = (argv: readonly string[], about: Parameters<typeof cli>[1] = {}) =>
  cli([...argv, '--url', everything.url], about);
/** The messages that the server has received. */
const answerIn = (stdout: string): unknown => JSON.parse(/Raw result: (.*)/s.exec(stdout)![1]!);
const form = ['call', 'trigger-elicitation-request'];
const page = (url: string) => ['call', 'trigger-url-elicitation', JSON.stringify({ url })];

test('Answers on the command line fill the fields of their names, with the types of the form', async () => {
  const options = ['--answer', 'name=Ada', '--answer', 'integer=7', '--answer', 'check=yes'];
  const lists = ['untitledMultipleSelectEnum=Piano, Bass', 'titledSingleSelectEnum=Wonder Woman'];
  const argv = [...form, ...options, ...lists.flatMap((list) => ['--answer', list])];
  const { stdout, stderr, code } = await ran(argv);
  const choices = { untitledMultipleSelectEnum: ['Piano', 'Bass'], titledSingleSelectEnum: 'hero-3' };
  const content = { name: 'Ada', integer: 7, check: true, ...choices, legacyTitledEnum: 'pet-1' };
  expect(answerIn(stdout)).toMatchObject({ action: 'accept', content });
  expect(stderr).toContain('asked "Please provide inputs for the following fields:": answered {"name":"Ada"');
  expect(code).toBe(0);
});

test('--decline declines the question, and shows the page', async () => {
  const { stdout, stderr } = await ran([...page('https://a.example/x'), '--decline']);
  expect(stdout).toContain('declined to open');
  expect(stderr).toContain('naming the page https://a.example/x: declined');
});

test('A person is asked field by field, and again if an answer does not fit', async () => {
  const lines = ['y', 'Ada', '', '', 'no address', 'ada@a.example', '', '', '0', '7', '', '2', '1, 3', '', '', '', 'y'];
  const { stdout, stderr } = await ran(form, { columns: 80, answer: () => lines.shift() ?? '' });
  expect(lines).toEqual([]);
  const texts = { name: 'Ada', email: 'ada@a.example', integer: 7 };
  const choices = { untitledMultipleSelectEnum: ['Guitar', 'Violin'], titledSingleSelectEnum: 'hero-1' };
  expect(answerIn(stdout)).toMatchObject({ content: { ...texts, untitledSingleSelectEnum: 'Rachel', ...choices } });
  expect(withoutColours(stderr)).toContain('does not fit: must be a valid email');
  expect(withoutColours(stderr)).toContain('does not fit: must be >= 1');
  expect(withoutColours(stderr)).toContain('separated by commas; ');
  expect(withoutColours(stderr)).toContain('String with email format (email)');
});

test('A page is opened only after a yes, and its host and warnings are shown first', async () => {
  const opened: string[] = [];
  const open = async (url: string) => opened.push(url) > 0;
  const about = (answer: string) => ({ columns: 80, answer, open });
  const url = 'http://bank.example@xn--bnk-6cd.example/';
  const declined = await ran(page(url), about('n'));
  expect(opened).toEqual([]);
  expect(withoutColours(declined.stderr)).toContain('a page on xn--bnk-6cd.example:');
  for (const warning of ['not encrypted', 'another alphabet', 'The part before the @ is a user name'])
    expect(declined.stderr).toContain(warning);
  const { stdout } = await ran(page('https://a.example/'), about('y'));
  expect(opened).toEqual(['https://a.example/']);
  expect(stdout).toContain('completed the URL elicitation');
});
