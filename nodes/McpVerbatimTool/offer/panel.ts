import type { ILoadOptionsFunctions, INodePropertyOptions, ResourceMapperFields } from 'n8n-workflow';
import type { Catalogue, CatalogueTool, Session } from '../../../src/index.js';
import { serverName, withEditorSession } from '../../connection/session.js';
import { bullets, errorText, noticeText, paragraphs } from '../../notice-text.js';
import { refusals } from '../../providers.js';
import { enumerate, more } from '../../text.js';
import { includeOptions } from '../description.js';
import { type Selection, selectedTools } from './selection.js';

/** While a server is slow, nobody should have to wait for a choice that does not depend on it. */
const patienceMs = 3000;

/** The choices there always are; once the server has answered, with what they mean there. */
export async function includeChoices(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const asked = withEditorSession(context, async (session) => describedChoices(session, await session.listTools()));
  const late = new Promise<INodePropertyOptions[]>((resolve) =>
    setTimeout(resolve, patienceMs, includeOptions).unref(),
  );
  return await Promise.race([asked, late]).catch(() => includeOptions);
}

/** What to know of the chosen tools before an agent runs. */
export async function toolsNotice(context: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  try {
    return noticeText(await withEditorSession(context, async (session) => await aboutTools(context, session)));
  } catch (error) {
    // Without a credential, the panel asks for one itself.
    return noticeText(context.getNode().credentials === undefined ? [] : errorText(error));
  }
}

function describedChoices(session: Session, { tools }: Catalogue): INodePropertyOptions[] {
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  const name = `All (${count} of ${serverName(session)})`;
  const description = `Every tool of the server that can be called. MCP ${session.protocolVersion}.`;
  return includeOptions.map((choice) => (choice.value === 'all' ? { ...choice, name, description } : choice));
}

async function aboutTools(context: ILoadOptionsFunctions, session: Session): Promise<string[]> {
  const selection = selectionIn(context);
  if (selection === undefined) return ['The tools are chosen at run time.'];
  const catalogue = await session.listTools();
  const about = [...aboutProviders(selectedTools(catalogue, selection)), ...aboutSetAside(catalogue)];
  // The editor would leave standing what it was told of other choices, were it told nothing of these.
  if (about.length === 0)
    return selection.include === 'all' ? [] : ['All known providers accept these tools as they are.'];
  // Named, because n8n does not ask again when another credential is chosen.
  return [`About the tools of <b>${paragraphs(serverName(session), 100)}</b>:`, ...about];
}

/** Undefined where the choice is an expression that has no value before the node runs. */
function selectionIn(context: ILoadOptionsFunctions): Selection | undefined {
  try {
    return {
      include: context.getNodeParameter('include', 'all'),
      includeTools: context.getNodeParameter('includeTools', []),
      excludeTools: context.getNodeParameter('excludeTools', []),
    };
  } catch {
    return undefined; // n8n's refusal to evaluate the expression
  }
}

/** Which model will use the tools is not known here. */
function aboutProviders(tools: readonly CatalogueTool[]): string[] {
  const refused = new Map<string, Set<string>>();
  for (const tool of tools) {
    for (const { name } of refusals(tool)) refused.set(name, (refused.get(name) ?? new Set()).add(tool.name));
  }
  if (refused.size === 0) return [];
  const each = [...refused].sort().map(
    ([provider, names]) =>
      `<b>${provider}</b> refuses ${enumerate(
        [...names].map((name) => paragraphs(name, 64)),
        shown,
      )}`,
  );
  return [bullets(each), 'With the option <b>Adapt Schemas to the Model</b>, the provider accepts them.'];
}

function aboutSetAside({ setAside }: Catalogue): string[] {
  if (setAside.length === 0) return [];
  const each = setAside.slice(0, shown).map(({ name, position, reason }) => {
    const tool = name === undefined ? `number ${position + 1}` : name;
    return `<b>${paragraphs(tool, 64)}</b>: ${paragraphs(reason.message, 200)}`;
  });
  return ['Set aside (cannot be called):', bullets([...each, ...more(setAside.length - shown)])];
}

const shown = 5;
