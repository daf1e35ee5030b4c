import type { ILoadOptionsFunctions, INodePropertyOptions, ResourceMapperFields } from 'n8n-workflow';
import {
  type Catalogue,
  type CatalogueTool,
  modelTools,
  type ServerAddress,
  type Session,
  toolTokens,
} from '../../../src/internal.js';
import { counted } from '../../../src/json/index.js';
import { serverName, withEditorSession } from '../../connection/session.js';
import { invisibleNotes, invisibleOfServer } from '../../hints.js';
import { hasLegacyOrder } from '../../host/database.js';
import { choiceAnswer, type ForEditor, noticeAnswer } from '../../editor/gate.js';
import { bullets, errorText, paragraphs } from '../../editor/notice-text.js';
import { ungrouped } from '../../options/read.js';
import { refusals } from '../../providers.js';
import { enumerate, limited } from '../../text.js';
import { includeOptions } from '../description.js';
import { differencesInPanel, differenceText } from './approved.js';
import { absentFrom, names, namesFor, type Selection, selectedTools } from './selection.js';

/** While a server is slow, nobody should have to wait for a choice that does not depend on it. */
const patienceMs = 3000;

/**
 * The choices there always are; once the server has answered, with what they mean there. n8n asks for lists again when
 * another credential is chosen, and for a notice it does not: so the list counts the warnings.
 */
export async function includeChoices(context: ILoadOptionsFunctions): Promise<ForEditor<INodePropertyOptions[]>> {
  const include = chosen(context)?.include ?? 'all';
  const asked = withEditorSession(context, async (session, address) => {
    const catalogue = await session.listTools();
    return counting(includeIn(session, catalogue, context), include, warningsOf(catalogue, context, address).length);
  });
  const late = new Promise<INodePropertyOptions[]>((resolve) =>
    setTimeout(resolve, patienceMs, includeOptions).unref(),
  );
  const choices = await Promise.race([asked, late]).catch(() =>
    // Without a credential, the panel asks for one itself.
    context.getNode().credentials === undefined ? includeOptions : counting(includeOptions, include, 1),
  );
  return choiceAnswer(choices);
}

/** What to know before an agent runs: what keeps it from reading any answer, and what is odd about the server's tools. */
export async function toolsNotice(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  const id = workflowId(context);
  const isLegacy = typeof id === 'string' && (await hasLegacyOrder(id));
  return noticeAnswer([...(isLegacy ? [legacyOrder] : []), ...(await aboutTools(context))]);
}

function workflowId(context: ILoadOptionsFunctions): unknown {
  try {
    return context.getNodeParameter('workflowId', '');
  } catch {
    return undefined; // n8n's refusal where the workflow was never saved
  }
}

/** Never nothing once a server has answered: the editor would leave standing warnings that no longer hold. */
async function aboutTools(context: ILoadOptionsFunctions): Promise<string[]> {
  try {
    return await withEditorSession(context, async (session, address) => {
      const catalogue = await session.listTools();
      const selection = chosen(context);
      const tools = selection === undefined ? catalogue.tools : selectedTools(catalogue, selection);
      const told = `${counted(tools.length, 'tool')}, about ${tokensOf(tools)}. MCP ${session.protocolVersion}.`;
      const warnings = warningsOf(catalogue, context, address).map((warning) => paragraphs(warning, 1000));
      return [`<b>${paragraphs(serverName(session), 100)}</b>: ${told}`, bullets(warnings)];
    });
  } catch (error) {
    // Without a credential, the panel asks for one itself.
    return context.getNode().credentials === undefined ? [] : [...errorText(error), asksAgain];
  }
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
    const described = `${choice.description ?? ''}. About ${tokensOf(tools)} for the model.`;
    const name = choice.value === 'all' ? `All (${count} of ${serverName(session)})` : `${choice.name} (${count})`;
    return { ...choice, name, description: described };
  });
}

function tokensOf(tools: readonly CatalogueTool[]): string {
  return `${toolTokens(modelTools(tools)).toLocaleString('en-US')} tokens`;
}

function counting(choices: INodePropertyOptions[], include: unknown, warnings: number): INodePropertyOptions[] {
  if (warnings === 0) return choices;
  return choices.map((choice) =>
    choice.value === include ? { ...choice, name: `${choice.name}, with ${counted(warnings, 'warning')}` } : choice,
  );
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
    ...skipped(catalogue),
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

/** n8n's editor asks for no notice again when a credential is edited, and keeps what it was told. */
const asksAgain = 'If you have edited the credential since, close this panel and open it again.';

function optionsOf(context: ILoadOptionsFunctions): Record<string, unknown> {
  return ungrouped(context.getNodeParameter('options', {}));
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

function skipped({ skipped }: Catalogue): string[] {
  if (skipped.length === 0) return [];
  const each = skipped.map(({ name, position, reason }) => `${name ?? `number ${position + 1}`}: ${reason.message}`);
  return [`${counted(skipped.length, 'tool')} cannot be called. ${limited(each, shown).join(' · ')}`];
}

const shown = 5;
