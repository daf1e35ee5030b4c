import type { Prompt, PromptMessage } from '../../internal.js';
import { counted, isList, isObject, jsonText } from '../../json/index.js';
import { command, exitCodes, flag, pairsOf, saveOption, serverOptions } from '../command.js';
import { chosenServer } from '../servers/choose.js';
import { eachServer, printListing, withSession } from '../servers/sessions.js';
import { printReport } from '../terminal/terminal.js';
import { folderFor, printBlocks } from '../terminal/result.js';

export const prompts = command({
  about:
    "Lists the prompts of the server: name, arguments (a question mark marks an optional one), description. In a pipe it prints one line per prompt, its fields separated by tabs; with several servers the server's name comes first.",
  options: { ...serverOptions, json: flag('print the prompts as JSON') },
  examples: ['prompts -- npx -y @modelcontextprotocol/server-everything'],
  async run({ json, ...given }, context) {
    const { terminal, signal } = context;
    return eachServer(given, context, async (visit) => {
      const { server, session, several } = visit;
      const found = await session.listPrompts({ signal });
      const rows = found.map((each) => ({
        fields: [each.name, argumentsOf(each), about(each)],
        cells: [each.name, argumentsOf(each) || '(no arguments)'],
        below: [{ text: about(each), paint: terminal.paint.dim }],
      }));
      if (json) printReport(several ? { server: server.name, prompts: found } : found, terminal);
      else printListing([rows], [counted(found.length, 'prompt')], visit);
      return exitCodes.success;
    });
  },
});

/** "city, state?" */
function argumentsOf(prompt: Prompt): string {
  const named = isList(prompt['arguments']) ? prompt['arguments'].filter(isObject) : [];
  return named.map(({ name, required }) => `${String(name)}${required === true ? '' : '?'}`).join(', ');
}

function about({ title, description }: Prompt): string {
  return [description, title].find((text) => typeof text === 'string') ?? '';
}

export const prompt = command({
  operands: [
    { form: 'NAME', needed: 'the name of a prompt' },
    { form: '[KEY=VALUE…]', several: true },
  ],
  about: `Shows the messages of a prompt with these arguments, each under its role. Arguments of prompts are texts.`,
  options: { ...serverOptions, ...saveOption, json: flag('print the prompt as JSON') },
  examples: ['prompt args-prompt city=Berlin -- npx -y @modelcontextprotocol/server-everything'],
  async run(given, context) {
    const { terminal, signal } = context;
    const [name = '', ...words] = given.words;
    const args = Object.fromEntries(pairsOf(words, 'The arguments of a prompt are KEY=VALUE for each.'));
    const server = await chosenServer(given, context);
    const folder = folderFor(given, context.cwd);
    return withSession(server, given, context, async (session) => {
      const filled = await session.getPrompt(name, args, { signal });
      if (given.json) printReport(filled, terminal);
      let [shown, saved] = [0, true];
      for (const message of given.json ? [] : filled.messages) {
        if (shown > 0) terminal.line();
        terminal.line(terminal.paint.bold(typeof message['role'] === 'string' ? message['role'] : '(no role)'));
        const blocks = blocksOf(message);
        saved = printBlocks(blocks, terminal, folder, shown) && saved;
        shown += blocks.length;
      }
      return saved ? exitCodes.success : exitCodes.usage;
    });
  },
});

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
