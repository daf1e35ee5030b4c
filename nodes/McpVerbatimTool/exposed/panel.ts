import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import type { Catalogue, CatalogueTool, ServerAddress, Session } from '../../../src/internal.js';
import { cutSchema, isLost, isSelected, manyTokens, modelTools, mostUsedProviders } from '../../../src/internal.js';
import { providerNotes, sentSchema, toolTokens, traitsOf } from '../../../src/internal.js';
import { counted } from '../../../src/json/index.js';
import { withEditorSession } from '../../connection/session.js';
import { choiceAnswer, type ForEditor } from '../../editor/gate.js';
import { bullets, noticeOf, paragraphs } from '../../editor/notice-text.js';
import { invisibleNotes, invisibleOfServer, skippedReasons, tooManyFor } from '../../hints.js';
import { mode, toolSearch } from '../../options/agent.js';
import { optionsOf } from '../../options/read.js';
import { enumerate, limited } from '../../text.js';
import { valuesIn } from '../../values.js';
import { include } from '../description.js';
import { approveAdvice, differencesInPanel, differenceText, storedApproval } from './approved.js';
import { readSelection, type Selection, toolSelection } from './selection.js';

const shown = 5;

/** The choices, each with the number of its tools and of their tokens, if the server can be asked. */
export async function includeChoices(context: ILoadOptionsFunctions): Promise<ForEditor<INodePropertyOptions[]>> {
  const choices = (include.options ?? []) as INodePropertyOptions[]; // of a field with choices
  const withSizes = async (session: Session) => {
    const { tools } = await session.listTools();
    return choices.map((choice) => ({ ...choice, name: `${choice.name}${sizeOf(context, choice, tools)}` }));
  };
  return choiceAnswer(await withEditorSession(context, withSizes).catch(() => choices));
}

function sizeOf(
  context: ILoadOptionsFunctions,
  { value }: INodePropertyOptions,
  tools: readonly CatalogueTool[],
): string {
  const selection = selectionInPanel(context, value);
  const isToBeChosen = value === 'selected' || value === 'except';
  if (selection === undefined || (isToBeChosen && selection.named.length === 0)) return '';
  const included = tools.filter((tool) => isSelected(toolSelection(selection), tool));
  const tokens = toolTokens(modelTools(included)).toLocaleString('en-US');
  return ` (${counted(included.length, 'tool')}, about ${tokens} tokens)`;
}

/** Empty without a credential: n8n's panel asks for one. */
export const toolsNotice = noticeOf(async (context) => {
  if (context.getNode().credentials === undefined) return [];
  return await withEditorSession(context, async (session, { address }) => {
    const catalogue = await session.listTools();
    // An expression has no value before the node runs.
    const selection = selectionInPanel(context) ?? { include: 'all', named: [] };
    const tools = catalogue.tools.filter((tool) => isSelected(toolSelection(selection), tool));
    const tokens = toolTokens(modelTools(tools));
    const warnings = warningsOf(context, catalogue, address, selection, tools);
    const options = optionsOf(context.getNodeParameter('options', {}));
    const search = toolSearch.name in options ? (valuesIn(options, toolSearch)[mode.name] ?? mode.default) : 'off';
    const isSearched = search === 'on' || (search === 'auto' && tokens > manyTokens);
    const tooMany = isSearched ? [] : tooManyFor(mostUsedProviders, tools.length);
    return [bullets([...tooMany, ...warnings].map((warning) => paragraphs(warning, 1000)))];
  });
});

/** Undefined if the selection is an expression. */
function selectionInPanel(context: ILoadOptionsFunctions, choice?: unknown): Selection | undefined {
  try {
    return readSelection((name, fallback) =>
      choice !== undefined && name === include.name ? choice : context.getNodeParameter(name, fallback),
    );
  } catch {
    return undefined;
  }
}

function warningsOf(
  context: ILoadOptionsFunctions,
  catalogue: Catalogue,
  address: ServerAddress,
  { named }: Selection,
  tools: readonly CatalogueTool[],
): string[] {
  const { adaptSchemas, showInstructions } = optionsOf(context.getNodeParameter('options', {}));
  const skipped = skippedReasons(catalogue);
  const known = new Set([...catalogue.tools, ...catalogue.skipped].map(({ name }) => name));
  const absent = named.filter((name) => !known.has(name));
  const differences = differencesInPanel(context, catalogue, address).filter(
    ({ kind }) => showInstructions === true || kind !== 'instructions',
  );
  return [
    ...(adaptSchemas === false ? refusedBy(tools) : cutAmong(tools)),
    ...(skipped.length > 0
      ? [`${counted(skipped.length, 'tool')} cannot be called. ${limited(skipped, shown).join(' · ')}`]
      : []),
    ...(absent.length > 0 ? [`The server does not have ${enumerate(absent, shown)}.`] : []),
    ...(differences.length > 0 ? [differenceText(differences)] : []),
    ...(storedApproval(context) === '' ? [`No tools are approved yet. ${approveAdvice}`] : []),
    ...invisibleOfServer(catalogue, showInstructions === true),
    ...limited(tools.flatMap(invisibleNotes), shown),
  ];
}

function cutAmong(tools: readonly CatalogueTool[]): string[] {
  const cut = modelTools(tools).filter(({ schema }) => sentSchema(schema).isCut);
  const names = cut.map(({ tool }) => tool.name);
  return cut.length === 0 ? [] : [`${enumerate(names, shown)}: ${cutSchema}`];
}

/** The panel does not know the model, so it warns for the most used providers. */
function refusedBy(tools: readonly CatalogueTool[]): string[] {
  const advice = 'The option "Adapt Schemas to the Model" sends its models another form.';
  const lines = mostUsedProviders.flatMap((provider) => {
    const refused = tools.filter((tool) => providerNotes(tool, provider).some(isLost)).map(({ name }) => name);
    return refused.length === 0 ? [] : `${traitsOf(provider).label} rejects ${enumerate(refused, shown)}. ${advice}`;
  });
  return lines.sort();
}
