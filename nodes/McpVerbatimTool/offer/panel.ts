import type { ILoadOptionsFunctions, INodePropertyOptions, ResourceMapperFields } from 'n8n-workflow';
import {
  type Catalogue,
  type CatalogueTool,
  modelTools,
  type ServerAddress,
  type Session,
  toldTokens,
} from '../../../src/index.js';
import { counted, isObject, type JsonObject, sentences } from '../../../src/json/index.js';
import { serverName, withEditorSession } from '../../connection/session.js';
import { readable } from '../../errors.js';
import { invisibleNotes, invisibleOfServer } from '../../hints.js';
import { hasLegacyOrder } from '../../host/database.js';
import { choiceAnswer, type ForEditor, noticeAnswer } from '../../editor/gate.js';
import { refusals } from '../../providers.js';
import { enumerate, limited } from '../../text.js';
import { includeOptions } from '../description.js';
import { differencesInPanel, differenceText } from './approved.js';
import { absentFrom, names, namesFor, type Selection, selectedTools } from './selection.js';

/** While a server is slow, nobody should have to wait for a choice that does not depend on it. */
const patienceMs = 3000;

/**
 * The choices there always are; once the server has answered, with what they mean there, and with what to know before
 * an agent runs. All of it stands in this list, because n8n asks for lists again when another credential is chosen,
 * and for a notice it does not.
 */
export async function includeChoices(context: ILoadOptionsFunctions): Promise<ForEditor<INodePropertyOptions[]>> {
  const include = chosen(context)?.include ?? 'all';
  const asked = withEditorSession(context, async (session, address) => {
    const catalogue = await session.listTools();
    return warned(includeIn(session, catalogue, context), include, warningsOf(catalogue, context, address));
  });
  const late = new Promise<INodePropertyOptions[]>((resolve) =>
    setTimeout(resolve, patienceMs, includeOptions).unref(),
  );
  const choices = await Promise.race([asked, late]).catch((error: unknown) =>
    // Without a credential, the panel asks for one itself.
    context.getNode().credentials === undefined ? includeOptions : warned(includeOptions, include, [unanswered(error)]),
  );
  return choiceAnswer(choices);
}

/** Warns of what keeps an agent from reading any answer. */
export async function orderNotice(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  const id = context.getNodeParameter('workflowId', '');
  const isLegacy = typeof id === 'string' && (await hasLegacyOrder(id));
  return noticeAnswer(isLegacy ? [legacyOrder] : []);
}

const legacyOrder =
  '<b>This workflow uses the legacy execution order.</b> In it, AI Agent 3 and later read an empty answer from every tool. ' +
  'Choose <b>v1</b> under <b>Settings</b> of the workflow, <b>Execution Order</b>.';

/** Undefined where an expression chooses that has no value before the node runs. */
function chosen(context: ILoadOptionsFunctions): Selection | undefined {
  try {
    const include = context.getNodeParameter('include', 'all');
    const parameter = namesFor(include);
    return { include, named: (parameter && names(context.getNodeParameter(parameter, []))) ?? [] };
  } catch {
    return undefined; // n8n's refusal to evaluate the expression
  }
}

/** Each choice with the number of its tools, and about how many tokens it takes to tell a model of them. */
function includeIn(session: Session, catalogue: Catalogue, context: ILoadOptionsFunctions): INodePropertyOptions[] {
  const selection = chosen(context);
  return includeOptions.map((choice) => {
    if (namesFor(choice.value) && choice.value !== selection?.include) return choice;
    const tools = selectedTools(catalogue, { named: [], ...selection, include: choice.value });
    const count = counted(tools.length, 'tool');
    const tokens = `About ${toldTokens(modelTools(tools)).toLocaleString('en-US')} tokens for the model.`;
    if (choice.value !== 'all')
      return { ...choice, name: `${choice.name} (${count})`, description: `${choice.description ?? ''}. ${tokens}` };
    const description = `${choice.description ?? ''}. ${tokens} MCP ${session.protocolVersion}.`;
    return { ...choice, name: `All (${count} of ${serverName(session)})`, description };
  });
}

/** The warnings follow the choices, as entries that cannot be chosen; n8n shows the names of those very pale. */
function warned(
  choices: INodePropertyOptions[],
  include: unknown,
  warnings: readonly string[],
): INodePropertyOptions[] {
  const count = counted(warnings.length, 'warning');
  const marked = choices.map((choice) =>
    choice.value === include && warnings.length > 0 ? { ...choice, name: `${choice.name}, with ${count}` } : choice,
  );
  const entries = warnings.map((warning, index) => ({
    name: warnings.length === 1 ? 'Warning' : `Warning ${index + 1}`,
    value: `warning ${index + 1}`,
    description: warning,
    disabled: true,
  }));
  return [...marked, ...entries];
}

function warningsOf(catalogue: Catalogue, context: ILoadOptionsFunctions, address: ServerAddress): string[] {
  const selection = chosen(context);
  const tools = selection === undefined ? catalogue.tools : selectedTools(catalogue, selection);
  const options = optionsOf(context);
  const isTold = options['instructions'] === true;
  const differences = differencesInPanel(context, catalogue, address).filter(
    ({ kind }) => isTold || kind !== 'instructions',
  );
  return [
    ...(options['providerSafe'] === false ? refusedBy(tools) : []),
    ...setAside(catalogue),
    ...absent(catalogue, selection?.named ?? []),
    ...(differences.length > 0 ? [differenceText(differences)] : []),
    ...invisibleOfServer(catalogue, isTold),
    ...limited(tools.flatMap(invisibleNotes), shown),
  ];
}

function absent(catalogue: Catalogue, named: readonly string[]): string[] {
  const names = absentFrom(catalogue, named);
  return names.length === 0 ? [] : [`The server does not offer ${enumerate(names, shown)}.`];
}

/** n8n's editor asks no list again when a credential is edited, and keeps what it was told. */
const asksAgain = 'If you have edited the credential since, close this panel and open it again.';

function unanswered(error: unknown): string {
  const { message, description = '' } = readable(error);
  return sentences(message, description, asksAgain);
}

function optionsOf(context: ILoadOptionsFunctions): JsonObject {
  const options: unknown = context.getNodeParameter('options', {});
  return isObject(options) ? options : {};
}

/** Which model will use the tools is not known here. */
function refusedBy(tools: readonly CatalogueTool[]): string[] {
  const refused = new Map<string, Set<string>>();
  for (const tool of tools) {
    for (const { name } of refusals(tool)) refused.set(name, (refused.get(name) ?? new Set()).add(tool.name));
  }
  return [...refused].sort().map(([provider, names]) => {
    const them = names.size === 1 ? 'it' : 'them';
    const advice = `With the option "Adapt Schemas to the Model", a model of theirs is told ${them} in another form.`;
    return `${provider} refuses ${enumerate([...names], shown)}. ${advice}`;
  });
}

function setAside({ setAside }: Catalogue): string[] {
  if (setAside.length === 0) return [];
  const each = setAside.map(({ name, position, reason }) => `${name ?? `number ${position + 1}`}: ${reason.message}`);
  return [`${counted(setAside.length, 'tool')} cannot be called. ${limited(each, shown).join(' · ')}`];
}

const shown = 5;
