import { N8nApi } from '../../n8n/api.js';
import { singleNodeWorkflow, verbatim } from '../../n8n/workflows.js';
import { nodeOnCanvas } from '../canvas.js';
import { logIn, openPage } from '../editor.js';
import { openNode } from '../node-panel.js';
import type { Scene } from './scene.js';

const member = { email: 'member@example.com', password: 'Verbatim-1', firstName: 'Demo', lastName: 'Member' };

/**
 * Invites a second person, who opens a workflow with somebody else's credential. n8n shares workflows only under a
 * licence, but a workflow may be passed on as a file.
 *
 * @returns the texts that were visible
 */
export async function lookWithoutCredential({ editor: { page, url }, stage: { api, server } }: Scene) {
  const data = { url: server.url, transport: 'http', authentication: 'none' };
  const mcpVerbatimHttpApi = await api.createCredential("The owner's", 'mcpVerbatimHttpApi', data);
  const theirs = await invited(api, url);
  const tool = { __rl: true, mode: 'list', value: 'book_table', cachedResultName: 'book_table' };
  const node = verbatim({ mcpVerbatimHttpApi }, { operation: 'call', tool, argumentsMode: 'form' });
  const workflow = await theirs.createWorkflow(singleNodeWorkflow(node));

  const view = await openPage(page.context().browser()!); // openEditor launched it like this
  await logIn(view, url, member, `/workflow/${workflow}`);
  await nodeOnCanvas(view, 'MCP Verbatim').waitFor();
  await openNode(view, 'MCP Verbatim');
  await view.getByTestId('rlc-input').click();
  await view.getByText('Could not load list').waitFor();
  const panel = await view.getByTestId('node-parameters').innerText();
  await view.context().close();
  return { panel };
}

async function invited(api: N8nApi, url: string): Promise<N8nApi> {
  const invitation = [{ email: member.email, role: 'global:member' }];
  const [invited] = await api.request<{ user: { inviteAcceptUrl: string } }[]>('POST', '/rest/invitations', invitation);
  const token = new URL(invited?.user.inviteAcceptUrl ?? url).searchParams.get('token');
  await api.request('POST', '/rest/invitations/accept', { token, ...member, email: undefined });
  return await N8nApi.login(url, member);
}
