import { resolve } from 'node:path';
import { answersFrom, decline, formFields, typedText } from '../../internal.js';
import type { Asked, Elicit, FormElicitation } from '../../internal.js';
import { isObject, jsonText, parseJson } from '../../json/index.js';
import { flag, type Given, text, texts } from '../command.js';
import type { Context } from '../context.js';
import { UsageError } from '../exit.js';
import { readText } from '../files.js';
import { pairsOf } from '../pairs.js';
import type { Terminal } from '../terminal/terminal.js';
import { interview, itemField } from './interview.js';

export const answerOptions = {
  answer: texts('N=VALUE', 'answer the field N if the server asks during the call; repeatable'),
  answers: text('FILE', 'read such answers from a JSON object'),
  decline: flag('decline whatever the server asks; without these options you are asked in the terminal'),
};

/** Answers by the options, or else asks the person at the terminal; undefined if there is nobody to ask. */
export function elicitFor(
  { decline: declines, answer, answers }: Given<typeof answerOptions>,
  context: Context,
): Elicit | undefined {
  const given = answer.length > 0 || answers !== undefined;
  if (declines && given) throw new UsageError('--decline cannot be combined with --answer or --answers.');
  if (declines) return decline;
  if (given) {
    const texts = pairsOf(answer, '--answer takes NAME=VALUE.');
    const values = answers === undefined ? {} : readAnswers(resolve(context.cwd, answers));
    return (question) =>
      answersFrom(question.mode === 'form' ? { ...values, ...typed(question, texts) } : values)(question);
  }
  return context.ask && interview(context, context.ask);
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

function typed({ schema }: FormElicitation, texts: ReadonlyMap<string, string>): Record<string, unknown> {
  const fields = new Map(formFields({ inputSchema: schema }).map((field) => [field.name, field]));
  return Object.fromEntries(
    [...texts].map(([name, text]) => {
      const field = fields.get(name);
      return [name, field ? typedText(field, text, itemField(schema, name)) : text];
    }),
  );
}

function readAnswers(path: string): Readonly<Record<string, unknown>> {
  const value = parseJson(readText(path));
  if (!isObject(value)) throw new UsageError(`${path} is not a JSON object of answers by the names of the fields.`);
  return value;
}
