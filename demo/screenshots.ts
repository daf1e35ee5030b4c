// npm run screenshots: drives the editor of a real n8n and takes the pictures of the documentation.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startOAuthServer } from '../test-support/servers/oauth.js';
import { openEditor } from '../test-support/editor/editor.js';
import { takePictures } from '../test-support/editor/pictures.js';
import { approveTools } from '../test-support/editor/steps/approve-tools.js';
import { askAgent } from '../test-support/editor/steps/ask-agent.js';
import { callTool } from '../test-support/editor/steps/call-tool.js';
import { listTools } from '../test-support/editor/steps/list-tools.js';
import { lookAtWorkflows } from '../test-support/editor/steps/look-at-workflows.js';
import { reviewCalls } from '../test-support/editor/steps/review-calls.js';
import { runAgents } from '../test-support/editor/steps/run-agents.js';
import type { Scene } from '../test-support/editor/steps/scene.js';
import { sendAlong } from '../test-support/editor/steps/send-along.js';
import { showOptions } from '../test-support/editor/steps/show-options.js';
import { signIn } from '../test-support/editor/steps/sign-in.js';
import { startProgram } from '../test-support/editor/steps/start-program.js';
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
  await using editor = await openEditor(stage.n8n.url);
  const protectedServer = await startOAuthServer();
  const scene: Scene = { editor, stage, protectedServer, look: takePictures(editor.page, folder) };
  progress('Listing tools');
  await listTools(scene, `http://127.0.0.1:${await freePort()}/mcp`);
  progress('Calling a tool');
  await callTool(scene);
  progress('Asking an agent');
  await askAgent(scene);
  progress('Signing in');
  await signIn(scene);
  progress('Starting a server');
  await startProgram(scene);
  progress('Running two agents side by side');
  await runAgents(scene);
  progress('Approving tools');
  await approveTools(scene);
  progress('Sending things along');
  await sendAlong(scene);
  progress('Reviewing calls');
  await reviewCalls(scene);
  progress('Showing what options do');
  await showOptions(scene);
  progress('Looking at the workflows to import');
  await lookAtWorkflows(scene);
  await protectedServer.close();
  progress.done();
}
