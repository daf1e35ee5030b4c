import { saveOption } from './call.js';
import { flag, type Given, type Usage } from './option.js';
import { serverOptions } from './server.js';

export const prompts = {
  summary: "the server's prompts and their arguments",
  about: `The server's prompts: name, arguments (those with a question mark may be left out), description. Piped, it is
one line per prompt, its fields separated by tabs; with several servers their names come first.`,
  options: { ...serverOptions, json: flag('the prompts as the server has them') },
  examples: ['prompts -- npx -y @modelcontextprotocol/server-everything'],
} satisfies Usage;

export const prompt = {
  summary: 'the messages of a prompt, filled in',
  operands: [
    { form: 'NAME', needed: 'the name of a prompt' },
    { form: '[KEY=VALUE…]', several: true },
  ],
  about: `The messages of a prompt, with these arguments, each below whose message it is. Arguments of prompts are
texts.`,
  options: { ...serverOptions, ...saveOption, json: flag('the prompt as the server has it') },
  examples: ['prompt args-prompt city=Berlin -- npx -y @modelcontextprotocol/server-everything'],
} satisfies Usage;

export type PromptsGiven = Given<typeof prompts>;
export type PromptGiven = Given<typeof prompt>;
