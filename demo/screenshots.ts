// npm run screenshots: drives the editor of a real n8n and takes the pictures of the documentation.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startOAuthServer } from '../test-support/servers/oauth.js';
import { openEditor } from '../test-support/editor/editor.js';
import { stack, takePictures } from '../test-support/editor/pictures.js';
import { askAgent } from '../test-support/editor/steps/ask-agent.js';
import { callTool } from '../test-support/editor/steps/call-tool.js';
import { listTools } from '../test-support/editor/steps/list-tools.js';
import { lookAtWorkflow } from '../test-support/editor/steps/look-at-workflow.js';
import { reviewCalls } from '../test-support/editor/steps/review-calls.js';
import { runAgents } from '../test-support/editor/steps/run-agents.js';
import type { Scene } from '../test-support/editor/steps/scene.js';
import { freePort } from '../test-support/free-port.js';
import { raiseStage } from '../test-support/stage.js';
import { showProgress } from './terminal/progress.js';

const folder = fileURLToPath(new URL('../docs/images', import.meta.url));

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

async function main(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const progress = showProgress();
  await using stage = await raiseStage(progress);
  await using editor = await openEditor(stage.n8n.url, 2);
  const protectedServer = await startOAuthServer();
  const scene: Scene = { editor, stage, protectedServer, look: takePictures(editor.page, folder) };
  progress('Listing tools');
  await listTools(scene, `http://127.0.0.1:${await freePort()}/mcp`);
  progress('Calling a tool');
  await callTool(scene);
  progress('Asking an agent');
  await askAgent(scene);
  progress('Running two agents side by side');
  await runAgents(scene);
  await stack(editor.page, folder, 'agents', {
    'failing-call': "With n8n's MCP Client Tool",
    'repaired-call': 'With MCP Verbatim Tool: the same question, the same model, the same server',
  });
  progress('Reviewing calls');
  await reviewCalls(scene);
  progress('Looking at a workflow to import');
  await lookAtWorkflow(scene);
  await protectedServer.close();
  progress.done();
}
