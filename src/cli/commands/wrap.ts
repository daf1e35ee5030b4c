import { constants, copyFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { isList, isObject, type JsonObject, JsonScanner } from '../../json/index.js';
import { hidden, isSecret, mayNameSecret, shownArguments, shownValue } from '../../secrets/index.js';
import type { WrapGiven } from '../usage/wrap.js';
import type { Context } from '../context.js';
import { exitCodes } from '../exit.js';
import { fileError } from '../files.js';
import { mistakeIn, readConfig, texts, urlIn, variablesIn } from '../servers/config-file.js';
import { printReport } from '../terminal/json.js';

/** Shows a client's configuration with every server behind `mcp-verbatim serve`; writes it where that is asked for. */
export function wrap({ words: [file = ''], write }: WrapGiven, { cwd, terminal }: Context): Promise<number> {
  const { path, text, json, key, entries } = readConfig(resolve(cwd, file));
  const wrapped = Object.entries(entries).map(([name, entry]) => ({ name, ...wrappedEntry(entry) }));
  for (const { name, remark } of wrapped) if (remark !== undefined) terminal.note(`${name}: ${remark}`);
  if (!write) {
    const shown = wrapped.map(({ name, entry }) => [name, withoutSecrets(entry)] as const);
    printReport({ [key]: Object.fromEntries(shown) }, terminal);
    terminal.note(`Nothing is written yet; mcp-verbatim wrap ${file} --write does it and keeps a copy.`);
    return Promise.resolve(exitCodes.success);
  }
  const changed = wrapped.filter(({ name, entry }) => entry !== entries[name]);
  if (changed.length === 0) {
    terminal.note(`Nothing is left to do in ${path}.`);
    return Promise.resolve(exitCodes.success);
  }
  const written = withEntries(text, json, key, new Map(changed.map(({ name, entry }) => [name, entry])));
  try {
    const copy = copyOf(path);
    writeFileSync(path, written);
    terminal.note(`${path} is written; what it was is kept in ${copy}.`);
  } catch (error) {
    throw fileError(path, 'written', error);
  }
  return Promise.resolve(exitCodes.success);
}

/** The text with other entries of these names, and what stands around them to the character, comments included. */
function withEntries(text: string, json: string, key: string, entries: ReadonlyMap<string, unknown>): string {
  const scanner = new JsonScanner(json);
  const servers = scanner.member(scanner.root(), key);
  let [written, at] = ['', 0];
  for (const [name, span] of servers ? scanner.members(servers) : []) {
    const entry = entries.get(JSON.parse(scanner.slice(name)) as string); // a member's name is one
    if (entry === undefined) continue;
    written += text.slice(at, span.start) + JSON.stringify(entry, null, 2).replaceAll('\n', '\n    ');
    at = span.end;
  }
  return written + text.slice(at);
}

interface Wrapped {
  /** The very entry where it stays as it is. */
  readonly entry: unknown;
  /** What the user should know of it. */
  readonly remark?: string;
}

/**
 * The entry that starts `mcp-verbatim serve` in front of what an entry says. Secrets stay in `env`, where they are in no
 * process's list of arguments, and are named where they are used; so do addresses, which may hold secrets anywhere.
 * What else stands in the entry stays.
 */
function wrappedEntry(entry: unknown): Wrapped {
  if (!isObject(entry)) return notUnderstood(entry);
  const mistake = mistakeIn(entry);
  if (mistake !== undefined) return { entry, remark: `left as it is: ${mistake}` };
  const { command, args, env, url, serverUrl, httpUrl, headers, type, transport, ...rest } = entry;
  const own = isList(args) ? args.map(String) : [];
  if (typeof command === 'string') {
    if (isServe([command, ...own])) return { entry };
    const names = Object.keys(texts(env)).flatMap((variable) => ['--env', variable]);
    const wrapped = started(entry, [...names, '--', command, ...own]);
    return {
      entry: { ...wrapped, ...(env !== undefined && { env }), ...rest },
      ...('envFile' in rest && { remark: 'the variables of its envFile have to be named: --env NAME, in front of --' }),
    };
  }
  const address = urlIn({ url, serverUrl, httpUrl });
  if (typeof address !== 'string') return notUnderstood(entry);
  const variables = new Map([[addressVariable, address]]);
  const options = ['--url', addressVariable, ...(type === 'sse' || transport === 'sse' ? ['--sse'] : [])];
  const sent = Object.entries(texts(headers));
  for (const [index, [header, value]] of sent.entries()) {
    // Never by the header's name: a variable called PATH or HTTP_PROXY would do something else.
    const variable = `MCP_SERVER_HEADER_${index + 1}`;
    variables.set(variable, value);
    options.push('--header', `${header}=${variable}`);
  }
  return {
    entry: { ...started(entry, options), env: Object.fromEntries(variables), ...rest },
    ...(!sent.some(([header]) => /^authorization$/i.test(header)) && {
      remark:
        'the sign-in of the client (OAuth) is not used; if this server wants one: mcp-verbatim login --url ADDRESS',
    }),
  };
}

function notUnderstood(entry: unknown): Wrapped {
  return { entry, remark: 'left as it is, as it has neither "command" nor "url"' };
}

/** The variable that holds the address. */
const addressVariable = 'MCP_SERVER_URL';

/** On Windows, clients start npx through cmd, and so does what is put in front of it. */
function started({ command, args, type }: JsonObject, serve: readonly string[]): JsonObject {
  const words = ['-y', 'mcp-verbatim', 'serve', ...serve];
  const [first] = isList(args) ? args : [];
  const isCmd = typeof command === 'string' && /^cmd(?:\.exe)?$/i.test(command) && /^\/c$/i.test(String(first));
  return {
    ...(type !== undefined && { type: 'stdio' }),
    command: isCmd ? command : 'npx',
    args: isCmd ? [first, 'npx', ...words] : words,
  };
}

/** `npx -y mcp-verbatim@1 serve`, `/usr/bin/mcp-verbatim serve`, `mcp-verbatim.cmd serve` */
function isServe(words: readonly string[]): boolean {
  const name = (word = '') => basename(word.replaceAll('\\', '/'));
  return words.some((word, at) => /^mcp-verbatim(?:@.*|\.cmd|\.exe)?$/.test(name(word)) && words[at + 1] === 'serve');
}

/** The entry as it may be shown. */
function withoutSecrets(entry: unknown): unknown {
  if (!isObject(entry)) return shownValue(entry, [], Infinity);
  const { args, env, ...rest } = entry;
  const shown = Object.entries(texts(env)).map(([name, value]) => {
    const [address = ''] = name === addressVariable ? shownArguments([value]) : [value];
    const mayBeSecret = name.startsWith('MCP_SERVER_HEADER_') || isSecret([name], value) || mayNameSecret(name);
    // What only names the variable that holds a secret is none itself.
    const isHidden = mayBeSecret && variablesIn(value).length === 0;
    return [name, isHidden ? hidden : address];
  });
  return {
    ...(shownValue(rest, [], Infinity) as JsonObject), // of an object it is one
    args: isList(args) ? shownArguments(args.map(String)) : args,
    ...(env !== undefined && { env: Object.fromEntries(shown) as JsonObject }),
  };
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
