import { call, steps } from '../../model/script.js';
import type { Script } from '../../model/script.js';
import { modelNodeFor } from '../../n8n/scripted-model.js';
import { agentWorkflow, type CredentialReference, verbatimTool } from '../../n8n/workflows.js';
import { programPath, startProgram } from '../../servers/program.js';
import { startDemoServer } from '../../demo-server/http.js';
import { nodeOnCanvas } from '../canvas.js';
import { closeNode, openList, openNode, parameter } from '../node-panel.js';
import type { Scene } from './scene.js';

const date = '2026-12-24';
const booking = { date, guests: '4' };

/** Pictures of what the options of MCP Verbatim Tool do: each in a workflow of its own, in which an agent has run. */
export async function showOptions({
  editor: { page, url },
  stage: { api, server, model },
  look,
}: Scene): Promise<void> {
  const tool = 'MCP Verbatim Tool';
  const demo = await credentialOf('Demo', server.url);

  await open({ credentials: demo, options: everyKind });
  await openWithServer('of demo');
  await openList(page, parameter(page, 'include'), 'of demo');
  await look('include');
  await page.keyboard.press('Tab');
  await page.setViewportSize({ width: 1440, height: 1080 });
  await look('options');
  await page.setViewportSize({ width: 1440, height: 900 });
  await closeNode(page);

  await run({
    credentials: demo,
    options: { search: { values: { discovery: 'on-demand' } } },
    script: steps(
      call('search_tools', { query: 'reserve a table' }),
      call('describe_tools', { names: ['book_table'] }),
      call('call_tool', { name: 'book_table', arguments: booking }),
      { text: 'The table is booked.' },
    ),
  });
  await lookAtLog('on-demand');

  await run({
    credentials: demo,
    script: steps(call('book_table', { date, guests: 'four' }), call('book_table', booking), { text: 'Booked.' }),
  });
  await lookAtLog('refused');

  const values = [{ tool: 'book_table', argument: 'guests', value: '4' }];
  const fixed = { fixedArguments: { values } };
  await run({ credentials: demo, options: fixed, script: steps(call('book_table', { date }), { text: 'Booked.' }) });
  await lookAtNode('fixed-arguments');

  const asking = await startProgram(programPath('sdk-v1.mjs'), ['http']);
  const requestedSchema = { type: 'object', properties: { terrace: { type: 'boolean', default: true } } };
  const questions = [{ message: 'On the terrace?', requestedSchema }];
  await run({
    credentials: await credentialOf('A server that asks', asking.url),
    options: asked,
    script: steps(call('asking', { questions }), { text: 'Done.' }),
  });
  await lookAtNode('server-asks');

  const long = Array.from({ length: 20 }, (_, n) => ({ message: `Chair ${n + 1} on the terrace?`, requestedSchema }));
  await run({
    credentials: await credentialOf('A server with long answers', asking.url),
    options: { ...asked, longestAnswer: 400 },
    script: steps(call('asking', { questions: long }), { text: 'Done.' }),
  });
  await lookAtNode('longest-answer');
  await asking.close();

  const away = await startDemoServer();
  const gone = await credentialOf('A server that is away', away.url);
  await away.stop();
  await run({
    credentials: gone,
    options: { whenAway: 'goOn' },
    script: steps({ text: 'I could not book the table: the server of the restaurant is not available.' }),
  });
  await lookAtLog('away', 'AI Agent');

  async function open({ credentials, options = {}, script }: Run): Promise<void> {
    if (script) model.play(script);
    const modelNode = { ...(await modelNodeFor(api, model)), position: [320, 240] as [number, number] };
    const node = verbatimTool(credentials, { options }, { typeVersion: 1.2, position: [480, 240] });
    await page.goto(`${url}/workflow/${await api.createWorkflow(agentWorkflow(modelNode, [node]))}`);
    await nodeOnCanvas(page, tool).waitFor();
  }

  /** A panel that had to wait for its server too long says nothing of it until it is opened again. */
  async function openWithServer(name: string): Promise<void> {
    const said = page.locator('.el-select-dropdown__item', { hasText: name }).first();
    for (let triesLeft = 5; triesLeft > 0; triesLeft -= 1) {
      await openNode(page, tool);
      if (
        await said.waitFor({ state: 'attached', timeout: 10_000 }).then(
          () => true,
          () => false,
        )
      )
        return;
      await closeNode(page);
    }
    throw new Error('The panel says nothing of its server.');
  }

  async function run(what: Run): Promise<void> {
    await open(what);
    await page.getByTestId('execute-workflow-button').click();
    await page.getByText('Workflow executed successfully').first().waitFor();
  }

  async function lookAtLog(name: string, node = tool): Promise<void> {
    const logs = page.getByTestId('logs-overview-body');
    if (!(await logs.isVisible())) await page.getByTestId('logs-overview-header').getByText('Logs').click();
    await logs.waitFor();
    await nodeOnCanvas(page, node).click();
    await page.getByTestId('log-details-header').getByText(node).waitFor();
    await page.getByTestId('zoom-to-fit').click();
    await look(name);
  }

  async function lookAtNode(name: string): Promise<void> {
    await openNode(page, tool);
    await page.getByTestId('output-panel').getByTestId('node-hint').first().waitFor();
    await look(name);
    await closeNode(page);
  }

  async function credentialOf(name: string, address: string): Promise<CredentialReference> {
    const data = { url: address, transport: 'http', authentication: 'none' };
    return { mcpVerbatimHttpApi: await api.createCredential(name, 'mcpVerbatimHttpApi', data) };
  }
}

interface Run {
  credentials: CredentialReference;
  options?: object;
  script?: Script;
}

const asked = { elicitation: { values: { whenAsked: 'defaults' } } };

const everyKind = {
  ...asked,
  repairing: { values: { repair: 'safe' } },
  search: { values: { discovery: 'auto', pinned: ['book_table'] } },
  fixedArguments: { values: [{ tool: 'book_table', argument: 'guests', value: '4' }] },
  whenAway: 'goOn',
  longestAnswer: 20_000,
};
