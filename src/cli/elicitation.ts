import { resolve } from 'node:path';
import { answersFrom, compileSchema, decline, evaluate, formFields, isConfidential, typedText } from '../internal.js';
import type { Asked, Elicit, ElicitationAnswer, FormElicitation, FormField, UrlElicitation } from '../internal.js';
import { didYouMean, isObject, isSchema, type JsonObject, jsonText, parseJson } from '../json/index.js';
import { flag, type Given, pairsOf, text, texts, UsageError } from './command.js';
import { agrees, type Context } from './context.js';
import { readText } from './files.js';
import type { Terminal } from './terminal/terminal.js';

export const answerOptions = {
  answer: texts('N=VALUE', 'answer the field N if the server asks during the call; repeatable'),
  answers: text('FILE', 'read such answers from a JSON object'),
  decline: flag('decline whatever the server asks; without these options you are asked in the terminal'),
};

interface Answering {
  readonly elicit?: Elicit | undefined;
  /** Notes given answers that the server did not ask for. @throws UsageError for one that `--answer` names */
  readonly reportNames?: () => void;
}

export function answering(
  { decline: declines, answer, answers }: Given<typeof answerOptions>,
  context: Context,
): Answering {
  if (answer.length === 0 && answers === undefined)
    return { elicit: declines ? decline : context.ask && interview(context, context.ask) };
  if (declines) throw new UsageError('--decline cannot be combined with --answer or --answers.');
  const asked = new Set<string>();
  const texts = pairsOf(answer, '--answer takes NAME=VALUE.');
  const values = answers === undefined ? {} : readAnswers(resolve(context.cwd, answers));
  const names = [...new Set([...texts.keys(), ...Object.keys(values)])];
  const noField = (name: string, more: string) =>
    `${texts.has(name) ? '--answer' : answers} ${name}: the server asks for no such field.${more}`;
  return {
    elicit: (question) => {
      if (question.mode !== 'form') return answersFrom({})(question);
      const fields = formFields({ inputSchema: question.schema });
      for (const field of fields) asked.add(field.name);
      for (const name of names) {
        const meant = asked.has(name) ? '' : didYouMean(name, [...asked]);
        if (meant !== '') throw new UsageError(noField(name, meant));
      }
      const typed = fields.flatMap((field): [string, unknown][] => {
        const text = texts.get(field.name);
        const { item } = detailsOf(question.schema, field);
        return text === undefined ? [] : [[field.name, typedText(field, text, item)]];
      });
      return answersFrom({ ...values, ...Object.fromEntries(typed) })(question);
    },
    reportNames: () => {
      if (asked.size === 0) context.terminal.note('The server asked for no field, so no answer was used.');
      for (const name of asked.size === 0 ? [] : names.filter((each) => !asked.has(each))) {
        const text = noField(name, ` It asked for ${[...asked].join(', ')}.`);
        if (texts.has(name)) throw new UsageError(text);
        context.terminal.note(text);
      }
    },
  };
}

export function reportAsked(asked: readonly Asked[], { note, paint }: Terminal): void {
  for (const { message, action, content, reason, url } of asked) {
    const page = url === undefined ? '' : `, naming the page ${url}`;
    const outcome =
      action === 'accept'
        ? `answered ${jsonText(content ?? {})}`
        : `${action === 'decline' ? 'declined' : 'cancelled'}${reason === undefined ? '' : `: ${reason}`}`;
    note(`${paint.yellow('asked')} ${JSON.stringify(message)}${page}: ${outcome}`);
  }
}

function readAnswers(path: string): Readonly<Record<string, unknown>> {
  const value = parseJson(readText(path));
  if (!isObject(value)) throw new UsageError(`${path} is not a JSON object of answers by the names of the fields.`);
  return value;
}

const mostAttempts = 3;
const mostChoices = 50;

/** Asks the person at the terminal. The server's words are behind a bar; everything else comes from this program. */
function interview({ terminal, open }: Context, ask: NonNullable<Context['ask']>): Elicit {
  const { note, paint } = terminal;
  const theirs = (text: string) => {
    for (const line of text.split(/\r?\n/).slice(0, 40)) note(`${paint.dim('│')} ${line}`);
  };
  return async (question) => {
    terminal.status('');
    const { tool, message } = question;
    note(`The server asks you${tool === undefined ? '' : ` while it runs ${tool}`}. It says:`);
    theirs(message);
    return question.mode === 'url' ? visit(question) : fillIn(question);
  };

  async function visit(question: UrlElicitation): Promise<ElicitationAnswer> {
    const { url, host } = question;
    note(`It wants you to visit a page on ${paint.bold(host)}:`);
    theirs(url);
    for (const warning of warningsAbout(question)) note(`${paint.yellow('warning:')} ${warning}`);
    if (!(await agrees(ask, open ? 'Open it?' : 'Will you visit it?', question.signal))) return { action: 'decline' };
    if (open && !(await open(url))) note('No browser could be started. Open the page yourself.');
    await ask('Press Enter when you are done there. ', question.signal);
    return { action: 'accept' };
  }

  async function fillIn(question: FormElicitation): Promise<ElicitationAnswer> {
    const fields = formFields({ inputSchema: question.schema });
    if (!(await agrees(ask, fields.length === 0 ? 'Do you agree?' : 'Will you answer?', question.signal)))
      return { action: 'decline' };
    const content: [string, unknown][] = [];
    for (const field of fields) {
      const value = await fieldValue(question, field);
      if (value === mute) return { action: 'cancel', reason: `There is no usable answer for "${field.name}".` };
      if (value !== undefined) content.push([field.name, value]);
    }
    const answers = Object.fromEntries(content);
    const { content: whole, problems } = question.check(answers);
    for (const problem of problems) note(`${paint.red('does not fit:')} ${problem}`);
    if (problems.length > 0) return { action: 'cancel', reason: problems.join('\n') };
    if (fields.length === 0) return { action: 'accept', content: {} };
    note(`This is sent: ${jsonText(whole)}`);
    return (await agrees(ask, 'Send it?', question.signal))
      ? { action: 'accept', content: answers }
      : { action: 'decline' };
  }

  async function fieldValue({ schema, signal }: FormElicitation, field: FormField): Promise<unknown> {
    const { choices } = detailsOf(schema, field);
    note('');
    theirs(field.title === field.name ? field.name : `${field.title} (${field.name})`);
    if (field.description !== undefined) theirs(field.description);
    if (choices.length === 0) theirs(field.hint);
    for (const [index, { label }] of choices.slice(0, mostChoices).entries()) theirs(`${index + 1}  ${label}`);
    if (choices.length > mostChoices) note(`and ${choices.length - mostChoices} more`);
    const several = field.type === 'array' ? 'separated by commas; ' : '';
    const otherwise =
      'default' in field
        ? `Enter for ${jsonText(field.default)}`
        : field.required
          ? 'required'
          : 'Enter to leave it out';
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const line = await ask(`(${several}${otherwise}) > `, signal);
      if (line.trim() === '' && ('default' in field || !field.required)) return undefined;
      const read = readLine(schema, field, line);
      if ('value' in read && !(line === '' && field.required)) return read.value;
      note(`${paint.red('does not fit:')} ${'problem' in read ? read.problem : 'an answer is required'}`);
    }
    return mute;
  }
}

const mute = Symbol('no usable answer');

/** 2025-11-25, Elicitation, Safe URL Handling. */
function warningsAbout({ url, host }: UrlElicitation): string[] {
  const page = new URL(url);
  return [
    ...(isConfidential(page) ? [] : ['The page is not encrypted (http).']),
    ...(/(^|\.)xn--/.test(host) ? ['The host is written in another alphabet, and may look like another one.'] : []),
    ...(page.username + page.password !== '' ? [`The part before the @ is a user name; the host is ${host}.`] : []),
  ];
}

/** A field's own schema, the field of its items if it is a list, and its choices. */
function detailsOf({ properties }: JsonObject, { name, type, options }: FormField) {
  const own = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const property = isSchema(own) ? own : true;
  const items = isObject(property) ? property['items'] : undefined;
  const [item] = items === undefined ? [] : formFields({ inputSchema: { properties: { item: items } } });
  return { property, item, choices: options ?? (type === 'array' ? (item?.options ?? []) : []) };
}

/** The value of a typed line, which may also name choices by number; or the reason it is rejected. */
function readLine(schema: JsonObject, field: FormField, line: string): { value: unknown } | { problem: string } {
  const { property, item, choices } = detailsOf(schema, field);
  const value = typedText(field, byNumber(line, field, choices), item);
  const evaluation = evaluate(compileSchema(property), value, { assertFormats: true });
  if (evaluation.outcome === 'valid') return { value };
  const expected =
    evaluation.outcome === 'invalid'
      ? evaluation.violations.map(({ message }) => message.replace(/^\(root\): /, ''))
      : [];
  return { problem: [...new Set(expected)].slice(0, 3).join(' ') || evaluation.outcome };
}

/** Replaces the numbers of choices by the choices, unless a choice itself is written like a number. */
function byNumber(line: string, field: FormField, choices: NonNullable<FormField['options']>): string {
  const keyOf = (part: string) => {
    const trimmed = part.trim();
    const named = choices.some(({ label, key }) => label === trimmed || key === trimmed);
    return named || !/^\d{1,4}$/.test(trimmed) ? trimmed : (choices[Number(trimmed) - 1]?.key ?? trimmed);
  };
  if (choices.length === 0 || line.trim().startsWith('[')) return line;
  return field.type === 'array' ? line.split(',').map(keyOf).join(',') : keyOf(line);
}
