import { constants, copyFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isList, isObject, type JsonObject, memberText, withMember } from '../../json/index.js';
import { hidden, isNameOfSomeKey, isSecret } from '../../secrets/index.js';
import type { Command } from '../arguments.js';
import type { Context } from '../context.js';
import { exitCodes, UsageError } from '../exit.js';
import { headerVariable } from '../servers/choose.js';
import { readConfig, texts, variablesIn } from '../servers/config-file.js';
import { printJson } from '../terminal/json.js';
import { oneLine } from '../terminal/text.js';

/** Shows a client's configuration with every server behind `mcp-verbatim serve`; writes it where that is asked for. */
export function wrap({ file = '', write }: Command, { cwd, terminal }: Context): Promise<number> {
  const { path, text, entries } = readConfig(resolve(cwd, file));
  const key = memberText(text, ['mcpServers']) === undefined ? 'servers' : 'mcpServers';
  const wrapped = Object.entries(entries).map(([name, entry]) => [name, wrappedEntry(path, name, entry)] as const);
  const written = (show: (entry: JsonObject) => JsonObject) =>
    wrapped.reduce((all, [name, entry]) => {
      const indented = JSON.stringify(show(entry), null, 2).replaceAll('\n', '\n    ');
      return withMember(all, [key, name], indented);
    }, text);
  if (!write) {
    printJson(written(withoutSecrets), terminal);
    terminal.note(`Nothing is written yet; mcp-verbatim wrap ${oneLine(file)} --write does it and keeps a copy.`);
    return Promise.resolve(exitCodes.success);
  }
  const copy = copyOf(path);
  writeFileSync(
    path,
    written((entry) => entry),
  );
  terminal.note(`${oneLine(path)} is written; what it was is kept in ${oneLine(copy)}.`);
  return Promise.resolve(exitCodes.success);
}

/**
 * The entry that starts `mcp-verbatim serve` in front of what an entry says. Secrets stay in `env`, where they are in no
 * process's list of arguments, and are named where they are used. What else stands in the entry stays.
 */
function wrappedEntry(path: string, name: string, entry: unknown): JsonObject {
  if (!isObject(entry)) throw new UsageError(`${path}: server "${name}" is not an object.`);
  const { command, args, env, url, headers, type, transport, ...rest } = entry;
  const own = isList(args) ? args.map(String) : [];
  if (own.includes('mcp-verbatim') && own.includes('serve')) return entry;
  const start = { ...(type !== undefined && { type: 'stdio' }), command: 'npx' };
  const serve = ['-y', 'mcp-verbatim', 'serve'];
  if (typeof command === 'string') {
    const names = Object.keys(texts(env)).flatMap((variable) => ['--env', variable]);
    return { ...start, args: [...serve, ...names, '--', command, ...own], ...(env !== undefined && { env }), ...rest };
  }
  if (typeof url !== 'string') throw new UsageError(`${path}: server "${name}" has neither "command" nor "url".`);
  const sent = Object.entries(texts(headers));
  const variables = Object.fromEntries(sent.map(([header, value]) => [headerVariable(header), value]));
  return {
    ...start,
    args: [
      ...serve,
      '--url',
      url,
      ...(type === 'sse' || transport === 'sse' ? ['--sse'] : []),
      ...sent.flatMap(([header]) => ['--header', header]),
    ],
    ...(sent.length > 0 && { env: variables }),
    ...rest,
  };
}

/** The entry as it may be shown. */
function withoutSecrets({ args, env, ...rest }: JsonObject): JsonObject {
  const shown = Object.entries(texts(env)).map(([name, value]) => {
    const mayBeSecret = (isSecret([name], value) || isNameOfSomeKey(name)) && variablesIn(value).length === 0;
    return [name, mayBeSecret ? hidden : value];
  });
  return {
    ...rest,
    args: isList(args) ? args.map((arg) => shownArgument(String(arg))) : args,
    ...(env !== undefined && { env: Object.fromEntries(shown) as JsonObject }),
  };
}

function shownArgument(argument: string): string {
  if (isSecret([], argument)) return hidden;
  const [, name = '', value] = /^--?([\w-]+)=(.+)$/s.exec(argument) ?? [];
  if (value !== undefined && isSecret([name], value)) return argument.replace(value, hidden);
  return argument
    .replace(/\/\/[^/?#]*@/, `//${hidden}@`)
    .replace(/([?&][^=&]*(?:key|token|secret|password)[^=&]*=)[^&#]+/gi, `$1${hidden}`);
}

/** Never takes the place of an earlier copy. */
function copyOf(path: string): string {
  for (let number = 1; ; number++) {
    const copy = `${path}.before-mcp-verbatim${number === 1 ? '' : `-${number}`}`;
    try {
      copyFileSync(path, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // of the file system, which throws nothing else
    }
  }
}
