import type { Prompt, PromptMessage } from '../../internal.js';
import { counted, isList, isObject, jsonText } from '../../json/index.js';
import type { Context } from '../context.js';
import { exitCodes } from '../exit.js';
import { pairsOf } from '../schema/pairs.js';
import { chosenServer } from '../servers/choose.js';
import { eachServer, headline, withSession } from '../servers/sessions.js';
import { printReport } from '../terminal/json.js';
import { folderFor, renderBlocks } from '../terminal/result.js';
import { table } from '../terminal/table.js';
import type { PromptGiven, PromptsGiven } from '../usage/prompts.js';

/** The prompts of one or several servers. */
export function prompts(given: PromptsGiven, context: Context): Promise<number> {
  const { terminal, signal } = context;
  const { paint, columns } = terminal;
  return eachServer(given, context, async (server, session, several) => {
    const found = await session.listPrompts({ signal });
    if (given.json) printReport(several ? { server: server.name, prompts: found } : found, terminal);
    else if (columns === undefined) {
      const first = several ? [server.name ?? ''] : [];
      for (const each of found) terminal.row([...first, each.name, argumentsOf(each), about(each)]);
    } else {
      terminal.line(headline(server, session, [counted(found.length, 'prompt')], terminal));
      terminal.line();
      const rows = found.map((each) => ({
        cells: [each.name, argumentsOf(each) || '(no arguments)'],
        below: [{ text: about(each), paint: paint.dim }].filter(({ text }) => text !== ''),
      }));
      for (const line of table(rows, columns, [{ atMost: Math.floor(columns * 0.35) }], [paint.cyan]))
        terminal.line(line);
    }
    return exitCodes.success;
  });
}

/** "city, state?" */
function argumentsOf(prompt: Prompt): string {
  const named = isList(prompt['arguments']) ? prompt['arguments'].filter(isObject) : [];
  return named.map(({ name, required }) => `${String(name)}${required === true ? '' : '?'}`).join(', ');
}

function about({ title, description }: Prompt): string {
  return [description, title].find((text) => typeof text === 'string') ?? '';
}

/** The messages of a prompt. */
export async function prompt(given: PromptGiven, context: Context): Promise<number> {
  const { terminal, signal } = context;
  const [name = '', ...words] = given.words;
  const args = Object.fromEntries(pairsOf(words, 'The arguments of a prompt are KEY=VALUE for each.'));
  const server = await chosenServer(given, context);
  const folder = folderFor(given, context.cwd);
  return withSession(server, given, context, async (session) => {
    const filled = await session.getPrompt(name, args, { signal });
    if (given.json) {
      printReport(filled, terminal);
      return exitCodes.success;
    }
    let [shown, saved] = [0, true];
    for (const message of filled.messages) {
      if (shown > 0) terminal.line();
      terminal.line(terminal.paint.bold(typeof message['role'] === 'string' ? message['role'] : '(no role)'));
      const blocks = blocksOf(message);
      saved = renderBlocks(blocks, terminal, folder, shown) && saved;
      shown += blocks.length;
    }
    return saved ? exitCodes.success : exitCodes.usage;
  });
}

/** A message has one block; some servers send a list. */
function blocksOf({ content }: PromptMessage) {
  return [content]
    .flat()
    .map((block) =>
      isObject(block) && typeof block['type'] === 'string'
        ? { ...block, type: block['type'] }
        : { type: 'text', text: jsonText(block) },
    );
}
