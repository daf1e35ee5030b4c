import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import type { Prompt } from '../../../src/internal.js';
import { isList, isObject } from '../../../src/json/index.js';
import { withEditorSession } from '../../connection/session.js';
import { type ForEditor, noticeAnswer } from '../../editor/gate.js';
import { bullets, errorText, paragraphs } from '../../editor/notice-text.js';
import { chosenInPanel } from '../parameters.js';

/** What the chosen prompt is for, and which arguments it takes. */
export async function promptNotice(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  return noticeAnswer(await aboutPrompt(context));
}

async function aboutPrompt(context: ILoadOptionsFunctions): Promise<string[]> {
  try {
    const name = chosenInPanel(context, 'prompt');
    if (name === '') return ['The prompt is chosen at run time.'];
    const prompts = await withEditorSession(context, (session) => session.listPrompts());
    const prompt = prompts.find((candidate: Prompt | null) => candidate?.name === name);
    if (prompt === undefined) return [paragraphs(`The server has no prompt "${name}"`, 200)];
    const entries = argumentsOf(prompt);
    const description = typeof prompt.description === 'string' ? paragraphs(prompt.description, 500) : '';
    return [description, bullets(entries), ...(entries.length === 0 ? ['It takes no arguments.'] : [])];
  } catch (error) {
    return errorText(error);
  }
}

const shown = 15;

/** They are as the server sent them. */
function argumentsOf({ arguments: list }: Prompt): string[] {
  const named = (isList(list) ? list : []).filter(isObject).filter(({ name }) => typeof name === 'string');
  return named.slice(0, shown).map(({ name, required, description }) => {
    const optional = required === true ? '' : ' (optional)';
    const what = typeof description === 'string' && description !== '' ? `: ${paragraphs(description, 200)}` : '';
    return `<b>${paragraphs(String(name), 100)}</b>${optional}${what}`;
  });
}
