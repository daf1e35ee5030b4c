import { resolve } from 'node:path';
import { text as textIn } from 'node:stream/consumers';
import { callOverSession, describeRepair, typedJson, undeclaredMembers } from '../../internal.js';
import type { CatalogueTool, Session } from '../../internal.js';
import { jsonText, messageOf, objectText } from '../../json/index.js';
import { command, exitCodes, flag, pairsOf, saveOption, seconds, serverOptions, UsageError } from '../command.js';
import type { Context } from '../context.js';
import { answering, answerOptions, reportAsked } from '../elicitation.js';
import { readText } from '../files.js';
import { repair } from '../repairs.js';
import { serverOfTool } from '../servers/choose.js';
import { withSession } from '../servers/sessions.js';
import { toolOf } from '../servers/tools.js';
import { printJson, type Terminal } from '../terminal/terminal.js';
import { folderFor, printResult } from '../terminal/result.js';
import { cut, oneLine } from '../terminal/text.js';

export const call = command({
  operands: [
    { form: 'TOOL', needed: 'the name of a tool' },
    { form: '[NAME=VALUE… | JSON | @FILE | -]', several: true },
  ],
  about:
    'Calls a tool; SERVER.TOOL if a configuration has several servers. Give its arguments as NAME=VALUE; VALUE is a text if the schema accepts it as text, and JSON otherwise (a list or an object that the schema accepts is always JSON); or give one JSON object as text, from a file, or from stdin (-). Malformed arguments that have one possible meaning are repaired, and each repair is shown. Arguments that do not satisfy the schema are not sent; every violation is shown. Numbers are sent as you write them.',
  options: {
    ...serverOptions,
    'max-duration': seconds('give up the call after this long, whatever its progress; default 3600'),
    repair,
    ...saveOption,
    ...answerOptions,
    json: flag('print the result exactly as the server sent it'),
  },
  examples: [
    'call get-sum a=1 b=2 -- npx -y @modelcontextprotocol/server-everything',
    'call echo \'{"message": "hello"}\' -- npx -y @modelcontextprotocol/server-everything',
    'call github.search query=mcp --config mcp.json',
    'call list_directory - --config mcp.json --server files < arguments.json',
  ],
  async run(given, context) {
    const [wanted = '', ...words] = given.words;
    const { server, tool: name } = await serverOfTool(given, wanted, context);
    const { elicit, reportNames } = answering(given, context);
    const argumentsFor = await readArguments(words, context);
    const folder = folderFor(given, context.cwd);
    const { terminal, signal } = context;
    const work = async (session: Session) => {
      const tool = await toolOf(session, name, context);
      const argumentsText = argumentsFor(tool); // beside what it says, so that each number is sent as it is written
      const made = await callOverSession(session, tool, JSON.parse(argumentsText), {
        ...{ signal, repairs: given.repair, argumentsText },
        onProgress: (progress) => terminal.status(progressLine(progress, terminal)),
        maxDurationMs: given['max-duration'],
      }).finally(() => terminal.status(''));
      const { result } = made;
      const { note, paint } = terminal;
      for (const repair of made.repairs) note(`${paint.green('repaired')} ${describeRepair(repair)}`);
      for (const { name, at, near } of undeclaredMembers(tool.inputSchema, made.arguments)) {
        const where = at === '' ? '' : ` in ${at}`;
        const meant = near === undefined ? '' : ` (did you mean \`${near}\`?)`;
        note(`${paint.yellow('note:')} \`${name}\`${where} is not declared${meant}`);
      }
      for (const { message } of made.warnings) note(`${paint.yellow('warning:')} ${message}`);
      reportAsked(result.asked ?? [], terminal);
      if (given.json) printJson(result.rawText ?? jsonText(result.raw), terminal);
      else if (!printResult(result, terminal, folder)) return exitCodes.usage;
      reportNames?.();
      return result.isError ? exitCodes.problem : exitCodes.success;
    };
    return withSession(server, given, context, work, elicit);
  },
});

/**
 * Arguments as `name=value` typed by the tool's schema, or as JSON: a text, `@file`, or `-` for stdin; `null`
 * means none.
 */
async function readArguments(
  words: readonly string[],
  { stdin, cwd }: Context,
): Promise<(tool: CatalogueTool) => string> {
  const [first = '{}', ...more] = words;
  const isJson = more.length === 0 && !/^[^{[@"=][^=]*=/.test(first);
  if (!isJson) {
    const pairs = pairsOf(words, 'The arguments are NAME=VALUE for each, or one JSON object, @FILE, or - for stdin.');
    return ({ inputSchema }) => objectText(typedJson(pairs, inputSchema));
  }
  const isFile = first.startsWith('@');
  const text = first === '-' ? await textIn(stdin) : isFile ? readText(resolve(cwd, first.slice(1))) : first;
  try {
    const isNone = JSON.parse(text) === null;
    return () => (isNone ? '{}' : text);
  } catch (error) {
    throw new UsageError(`The arguments are not JSON: ${messageOf(error)}`);
  }
}

/** "[███████░░░] 70 % message", or a bare count if the server does not say how much there is. */
export function progressLine(
  { progress, total, message }: { progress: number; total?: number; message?: string },
  { paint, columns = 80 }: Terminal,
): string {
  const text = message === undefined ? '' : ` ${oneLine(message)}`;
  if (total === undefined || total <= 0) return cut(`${progress}${text}`, columns - 1);
  const share = Math.min(1, Math.max(0, progress / total));
  const filled = Math.round(share * barWidth);
  const percent = `${Math.round(share * 100)} %`.padStart(5);
  return `${paint.cyan('█'.repeat(filled))}${paint.dim('░'.repeat(barWidth - filled))} ${cut(`${percent}${text}`, columns - barWidth - 2)}`;
}

const barWidth = 24;
