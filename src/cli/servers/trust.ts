import { createHash } from 'node:crypto';
import { isObject, isText, listOf } from '../../json/index.js';
import { mayNameSecret, shownArguments } from '../../secrets/index.js';
import { agrees, type Context } from '../context.js';
import { UsageError } from '../command.js';
import { readSettings, writeSettings } from '../files.js';
import { type ConfigFile, envFileTexts, texts, urlIn, variablesIn } from './config-file.js';

/**
 * Asks before a configuration is used that nobody named: it may have come with a repository, and using it runs its
 * commands and sends the variables that it names to its addresses. An agreement holds for this content, and for that of
 * the files of variables that it names: `NODE_OPTIONS` runs code.
 */
export async function agreeTo(config: ConfigFile, name: string, { env, terminal, ask }: Context): Promise<void> {
  // If the list cannot be read, the person is asked again.
  const agreed = listOf(readSettings(env, file)['trusted']).filter(isText);
  const content = [config.path, config.text, ...envFileTexts(config, env)].join('\0');
  const id = createHash('sha256').update(content).digest('hex');
  if (agreed.includes(id)) return;
  const reason = 'is not used without asking, because its servers would be started';
  if (!ask) throw new UsageError(`${config.path} was found, but ${reason}. Add --config ${name} to use it.`);
  for (const line of summary(config)) terminal.note(line);
  if (!(await agrees(ask, 'Use these servers?')))
    throw new UsageError(`${config.path} is not used. Nothing was started.`);
  try {
    writeSettings(env, file, { trusted: [...agreed, id] });
  } catch {
    // The folder cannot be written to.
  }
}

function summary({ path, entries }: ConfigFile): string[] {
  const lines = Object.entries(entries).flatMap(([name, entry]) => {
    return [`  ${name}`, ...(isObject(entry) ? aboutEntry(entry) : []).map((line) => `    ${line}`)];
  });
  return [`${path} was found in this folder and has not been used before, or has changed since:`, ...lines];
}

function aboutEntry(entry: Readonly<Record<string, unknown>>): string[] {
  const { command, args, cwd, envFile } = entry;
  const env = Object.entries(texts(entry['env']));
  const headers = Object.keys(texts(entry['headers']));
  const words = [String(command), ...shownArguments(listOf(args).map(String), mayHide)].map(quoted);
  const read = new Set(variablesIn(JSON.stringify(entry)));
  return [
    typeof command === 'string' ? `runs ${words.join(' ')}` : `connects to ${withoutSecrets(String(urlIn(entry)))}`,
    ...(typeof cwd === 'string' ? [`in the folder ${cwd}`] : []),
    ...(typeof envFile === 'string' ? [`reads the file ${quoted(envFile)}`] : []),
    ...(env.length > 0 ? [`sets ${env.map(([name, value]) => `${name}=${shown(name, value)}`).join(' ')}`] : []),
    ...(headers.length > 0 ? [`sends the headers ${headers.join(', ')}`] : []),
    ...(read.size > 0 ? [`reads the environment variables ${[...read].join(', ')}`] : []),
  ];
}

function quoted(word: string): string {
  return /^[\w./:@=,+-]+$/.test(word) ? word : JSON.stringify(word);
}

/** Anything that may be run stays visible: code for a shell or a program, and any part of an argument. */
function mayHide(secret: string, arg: string): boolean {
  const isComputed = /[|<>`$(]/.test(arg) || arg.split(secret).length > 2 || arg.includes(`/${secret}`);
  return secret !== arg && !isComputed && cannotBeRun(secret);
}

function cannotBeRun(value: string): boolean {
  return !/[\s;&|<>`$(){}]/.test(value) && !/^[.~]{0,2}[/\\]/.test(value);
}

/**
 * The values of NODE_OPTIONS or BASH_ENV decide which code runs, so they are shown; a secret is recognised by its name.
 */
function shown(name: string, value: string): string {
  return mayNameSecret(name) && cannotBeRun(value) ? '…' : quoted(value);
}

/** An address without user, password and query, as it is read: line breaks in it do not count, and `\\` is `/`. */
function withoutSecrets(url: string): string {
  return url
    .replace(/[\t\n\r]/g, '')
    .replaceAll('\\', '/')
    .replace(/\/\/[^/?#]*@/, '//')
    .replace(/[?#].*$/s, '?…');
}

const file = 'trusted.json';
